"""What the day of a tournament needs: players, byes, absences, stages with rules, results that wait."""

import django.db.models.deletion
import django.utils.timezone
import tournaments.models.entries
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0002_house_bots'),
    ]

    operations = [
        migrations.CreateModel(
            name='Absence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('no_show', 'did not come'), ('withdrawn', 'withdrawn'), ('expelled', 'expelled')], max_length=10, verbose_name='kind')),
                ('from_round', models.PositiveSmallIntegerField(verbose_name='from round')),
                ('until_round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='until round')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'absence',
                'verbose_name_plural': 'absences',
                'ordering': ('entry_id', 'from_round', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='ByeRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round_number', models.PositiveSmallIntegerField(verbose_name='round')),
                ('kind', models.CharField(choices=[('full', 'full bye'), ('half', 'half bye'), ('zero', 'bye without points')], max_length=4, verbose_name='kind')),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'requested bye',
                'verbose_name_plural': 'requested byes',
                'ordering': ('entry_id', 'round_number'),
            },
        ),
        migrations.CreateModel(
            name='Penalty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round_number', models.PositiveSmallIntegerField(verbose_name='round')),
                ('match_points', models.DecimalField(decimal_places=2, default=0, max_digits=7, verbose_name='match points')),
                ('hands', models.IntegerField(default=0, verbose_name='hands')),
                ('points', models.IntegerField(default=0, verbose_name='points')),
                ('reason', models.TextField(verbose_name='reason')),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_by', models.CharField(blank=True, max_length=200)),
                ('revocation', models.TextField(blank=True, verbose_name='why it was revoked')),
            ],
            options={
                'verbose_name': 'penalty',
                'verbose_name_plural': 'penalties',
                'ordering': ('entry_id', 'round_number', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='RestorePoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=40, verbose_name='before')),
                ('round_number', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='round')),
                ('version', models.PositiveIntegerField()),
                ('snapshot', models.JSONField()),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('used_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'restore point',
                'verbose_name_plural': 'restore points',
                'ordering': ('tournament_id', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Substitution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('from_round', models.PositiveSmallIntegerField(verbose_name='from round')),
                ('until_round', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='until round')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'substitution',
                'verbose_name_plural': 'substitutions',
                'ordering': ('entry_id', 'from_round', 'pk'),
            },
        ),
        migrations.RemoveConstraint(
            model_name='entry',
            name='an_entry_is_a_pair_or_a_bot',
        ),
        migrations.RemoveConstraint(
            model_name='match',
            name='a_bye_has_no_opponent',
        ),
        migrations.RemoveConstraint(
            model_name='result',
            name='the_winner_has_more_hands',
        ),
        migrations.RemoveConstraint(
            model_name='result',
            name='a_result_has_a_record_or_a_reason',
        ),
        migrations.AddField(
            model_name='entry',
            name='apart',
            field=models.JSONField(blank=True, default=list, verbose_name='not to meet'),
        ),
        migrations.AddField(
            model_name='entry',
            name='checked_in_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='checked in'),
        ),
        migrations.AddField(
            model_name='entry',
            name='code',
            field=models.CharField(default=tournaments.models.entries.new_code, editable=False, max_length=12, verbose_name='code'),
        ),
        migrations.AddField(
            model_name='entry',
            name='joined_round',
            field=models.PositiveSmallIntegerField(default=1, verbose_name='plays from round'),
        ),
        migrations.AddField(
            model_name='entry',
            name='origin',
            field=models.CharField(blank=True, max_length=100, verbose_name='club it comes from'),
        ),
        migrations.AddField(
            model_name='entry',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='tournaments.player'),
        ),
        migrations.AddField(
            model_name='entry',
            name='rating',
            field=models.FloatField(default=0.0, verbose_name='seeding rating'),
        ),
        migrations.AddField(
            model_name='entry',
            name='seats',
            field=models.PositiveSmallIntegerField(default=2),
        ),
        migrations.AddField(
            model_name='match',
            name='away_partner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='away_partner_matches', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='match',
            name='boards',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='match',
            name='bye',
            field=models.CharField(blank=True, max_length=7),
        ),
        migrations.AddField(
            model_name='match',
            name='edited',
            field=models.BooleanField(default=False, verbose_name='made by hand'),
        ),
        migrations.AddField(
            model_name='match',
            name='home_partner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='home_partner_matches', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='match',
            name='lineup',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='match',
            name='pinned',
            field=models.BooleanField(default=False, verbose_name='pinned'),
        ),
        migrations.AddField(
            model_name='match',
            name='postponed_to',
            field=models.DateTimeField(blank=True, null=True, verbose_name='postponed to'),
        ),
        migrations.AddField(
            model_name='match',
            name='third',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='third_matches', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='match',
            name='whys',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='result',
            name='confirmed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='confirmed'),
        ),
        migrations.AddField(
            model_name='result',
            name='confirmed_by',
            field=models.CharField(blank=True, max_length=200, verbose_name='confirmed by'),
        ),
        migrations.AddField(
            model_name='result',
            name='counts_from',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='result',
            name='counts_until',
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='result',
            name='decided',
            field=models.CharField(blank=True, max_length=5),
        ),
        migrations.AddField(
            model_name='result',
            name='depth',
            field=models.CharField(choices=[('record', 'record replayed'), ('hands', 'scores of the hands'), ('score', 'score of the match'), ('ruling', 'ruling of the arbiter'), ('forfeit', 'forfeit')], default='record', max_length=8, verbose_name='depth'),
        ),
        migrations.AddField(
            model_name='result',
            name='forfeits',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='result',
            name='hand_scores',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='result',
            name='reported_for',
            field=models.CharField(blank=True, max_length=5),
        ),
        migrations.AddField(
            model_name='result',
            name='third_hands',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='hands won by third'),
        ),
        migrations.AddField(
            model_name='result',
            name='third_points',
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name='points of third'),
        ),
        migrations.AddField(
            model_name='round',
            name='clock_started_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='clock_stopped_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='round',
            name='drawn',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='round',
            name='minutes',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='minutes'),
        ),
        migrations.AddField(
            model_name='stage',
            name='begun_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='begun'),
        ),
        migrations.AddField(
            model_name='stage',
            name='entrants',
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name='stage',
            name='lots',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='stage',
            name='name',
            field=models.CharField(blank=True, max_length=100, verbose_name='name'),
        ),
        migrations.AddField(
            model_name='stage',
            name='seed',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='stage',
            name='settings',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='tournament',
            name='bye_quota',
            field=models.PositiveSmallIntegerField(default=1, verbose_name='byes one may ask for'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='check_in_closed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='tournament',
            name='confirm_after',
            field=models.PositiveSmallIntegerField(default=48, verbose_name='hours to object'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='confirmation',
            field=models.BooleanField(default=True, verbose_name='the other side confirms'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='no_show_minutes',
            field=models.PositiveSmallIntegerField(default=15, verbose_name='minutes to wait'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='self_check_in',
            field=models.BooleanField(default=True, verbose_name='check in by oneself'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='unit',
            field=models.CharField(choices=[('pair', 'pairs'), ('player', 'players')], default='pair', max_length=6, verbose_name='who enters'),
        ),
        migrations.AlterField(
            model_name='match',
            name='state',
            field=models.CharField(choices=[('pending', 'pending'), ('reported', 'to be confirmed'), ('accepted', 'accepted'), ('disputed', 'disputed'), ('postponed', 'postponed'), ('bye', 'bye')], default='pending', max_length=10, verbose_name='state'),
        ),
        migrations.AlterField(
            model_name='record',
            name='home_side',
            field=models.CharField(blank=True, max_length=3),
        ),
        migrations.AlterField(
            model_name='result',
            name='live',
            field=models.BooleanField(default=True, verbose_name='last word'),
        ),
        migrations.AlterField(
            model_name='result',
            name='winner',
            field=models.CharField(choices=[('home', 'home'), ('away', 'away'), ('tie', 'tie'), ('third', 'third'), ('nobody', 'nobody')], max_length=6, verbose_name='winner'),
        ),
        migrations.AddField(
            model_name='absence',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='byerequest',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bye_requests', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='penalty',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penalties', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='restorepoint',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='restore_points', to='tournaments.tournament'),
        ),
        migrations.AddField(
            model_name='substitution',
            name='comes',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='substitutions', to='tournaments.player'),
        ),
        migrations.AddField(
            model_name='substitution',
            name='entry',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='substitutions', to='tournaments.entry'),
        ),
        migrations.AddField(
            model_name='substitution',
            name='leaves',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='replaced_in', to='tournaments.player'),
        ),
    ]
