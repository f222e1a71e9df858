"""Post tournaments, sign up for them with requests, links and a cash book, and list prizes."""

import django.db.models.deletion
import django.utils.timezone
import tournaments.models.entries
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0040_points_required'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='cancel_reason',
            field=models.CharField(blank=True, db_default='', default='', max_length=200, verbose_name='reason'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='cancelled_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='cancelled'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='posted_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='posted'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='prizes_meant_for',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='entries that the prizes are meant for'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='prizes_scale_up',
            field=models.BooleanField(db_default=False, default=False, verbose_name='prizes rise with more entries'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='prizes_unit',
            field=models.PositiveSmallIntegerField(db_default=100, default=100, verbose_name='step of the amounts'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='rules_text',
            field=models.TextField(blank=True, db_default='', default='', max_length=4000, verbose_name='rules of the club'),
        ),
        migrations.CreateModel(
            name='PrizeLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stage', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='stage')),
                ('first', models.PositiveSmallIntegerField(verbose_name='from place')),
                ('last', models.PositiveSmallIntegerField(verbose_name='to place')),
                ('per', models.CharField(choices=[('entry', 'each entry'), ('person', 'each person')], default='entry', max_length=6, verbose_name='given to')),
                ('cents', models.PositiveIntegerField(blank=True, null=True, verbose_name='amount in cents')),
                ('percent', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='per cent')),
                ('text', models.CharField(blank=True, max_length=200, verbose_name='prize')),
                ('order', models.PositiveSmallIntegerField(verbose_name='order')),
                ('season', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prize_lines', to='tournaments.season')),
                ('tournament', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='prize_lines', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'prize',
                'verbose_name_plural': 'prizes',
                'ordering': ('order', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='SignUp',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('opens_at', models.DateTimeField(blank=True, null=True, verbose_name='sign-up opens')),
                ('closes_at', models.DateTimeField(blank=True, null=True, verbose_name='sign-up closes')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('places', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='places')),
                ('minimum', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='at least')),
                ('singles', models.BooleanField(default=False, verbose_name='singles may sign up')),
                ('only_paid', models.BooleanField(default=False, verbose_name='only those who paid are entered')),
                ('condition', models.CharField(blank=True, max_length=200, verbose_name='condition')),
                ('asks_contact', models.BooleanField(default=True, verbose_name='ask for a telephone or e-mail')),
                ('shows_names', models.BooleanField(default=False, verbose_name='show the names of those who are in')),
                ('fee_cents', models.PositiveIntegerField(default=0, verbose_name='fee in cents')),
                ('fee_per', models.CharField(choices=[('entry', 'each entry'), ('person', 'each person')], default='entry', max_length=6, verbose_name='who pays it')),
                ('member_cents', models.PositiveIntegerField(blank=True, null=True, verbose_name='fee of members')),
                ('last_ticket', models.PositiveIntegerField(default=0)),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='sign_up', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'sign-up',
                'verbose_name_plural': 'sign-ups',
                'ordering': ('tournament_id',),
            },
        ),
        migrations.CreateModel(
            name='SignUpLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('origin', models.CharField(max_length=100, verbose_name='bar or centre')),
                ('quota', models.PositiveSmallIntegerField(verbose_name='at most')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ('signup', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='links', to='tournaments.signup')),
            ],
            options={
                'verbose_name': 'sign-up link',
                'verbose_name_plural': 'sign-up links',
                'ordering': ('signup_id', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='SignUpRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ticket', models.PositiveIntegerField(verbose_name='ticket')),
                ('pair_name', models.CharField(blank=True, max_length=100, verbose_name='name of the pair')),
                ('reserve', models.CharField(blank=True, max_length=100, verbose_name='reserve')),
                ('origin', models.CharField(blank=True, max_length=100, verbose_name='comes from')),
                ('contact', models.CharField(blank=True, max_length=200, verbose_name='telephone or e-mail')),
                ('members', models.PositiveSmallIntegerField(default=0, verbose_name='members of the club')),
                ('agreed_at', models.DateTimeField(blank=True, null=True, verbose_name='condition accepted')),
                ('due_cents', models.PositiveIntegerField(default=0, verbose_name='due in cents')),
                ('code', models.CharField(default=tournaments.models.entries.new_code, editable=False, max_length=12, verbose_name='code')),
                ('form_key', models.CharField(blank=True, editable=False, max_length=64, null=True)),
                ('renamed_at', models.DateTimeField(blank=True, null=True)),
                ('told_in', models.BooleanField(default=False)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='left')),
                ('left_why', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('joined', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='partners', to='tournaments.signuprequest')),
                ('link', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='tournaments.signuplink')),
                ('signup', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='requests', to='tournaments.signup')),
            ],
            options={
                'verbose_name': 'request for a place',
                'verbose_name_plural': 'requests for a place',
                'ordering': ('signup_id', 'ticket'),
            },
        ),
        migrations.CreateModel(
            name='SignUpPerson',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(verbose_name='seat')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('folded', models.CharField(db_index=True, editable=False, max_length=400)),
                ('erased_at', models.DateTimeField(blank=True, null=True)),
                ('request', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='people', to='tournaments.signuprequest')),
            ],
            options={
                'verbose_name': 'person of a request',
                'verbose_name_plural': 'persons of requests',
                'ordering': ('request_id', 'seat'),
            },
        ),
        migrations.CreateModel(
            name='CashEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('payee', models.CharField(blank=True, max_length=100, verbose_name='to')),
                ('kind', models.CharField(choices=[('paid', 'paid'), ('refund', 'returned'), ('waived', 'waived'), ('prize', 'prize')], max_length=6, verbose_name='kind')),
                ('cents', models.IntegerField(verbose_name='amount in cents')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('made_by', models.CharField(max_length=200, verbose_name='made by')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='tournaments.cashentry')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cash_entries', to='tournaments.tournament')),
                ('prize', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cash_entries', to='tournaments.prizeline')),
                ('request', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='cash_entries', to='tournaments.signuprequest')),
            ],
            options={
                'verbose_name': 'line of the cash book',
                'verbose_name_plural': 'lines of the cash book',
                'ordering': ('tournament_id', 'pk'),
            },
        ),
        migrations.AddField(
            model_name='entry',
            name='request',
            field=models.OneToOneField(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='entry', to='tournaments.signuprequest'),
        ),
        migrations.AddConstraint(
            model_name='prizeline',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('season__isnull', True), ('tournament__isnull', False)), models.Q(('season__isnull', False), ('stage__isnull', True), ('tournament__isnull', True)), _connector='OR'), name='a_prize_is_of_a_tournament_or_a_season'),
        ),
        migrations.AddConstraint(
            model_name='prizeline',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('first', 0), ('last', 0)), models.Q(('first__gte', 1), ('last__gte', models.F('first'))), _connector='OR'), name='a_prize_is_for_places_in_order'),
        ),
        migrations.AddConstraint(
            model_name='prizeline',
            constraint=models.CheckConstraint(condition=models.Q(('cents__isnull', True), ('percent__isnull', True), _connector='OR'), name='a_prize_is_an_amount_or_a_share'),
        ),
        migrations.AddConstraint(
            model_name='prizeline',
            constraint=models.CheckConstraint(condition=models.Q(('percent__isnull', True), models.Q(('percent__gte', 1), ('percent__lte', 100)), _connector='OR'), name='a_share_is_at_most_the_whole'),
        ),
        migrations.AddConstraint(
            model_name='prizeline',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('cents__gt', 0), ('cents__isnull', False)), ('percent__isnull', False), models.Q(('text', ''), _negated=True), _connector='OR'), name='a_prize_is_money_or_goods'),
        ),
        migrations.AddConstraint(
            model_name='signuplink',
            constraint=models.CheckConstraint(condition=models.Q(('quota__gte', 1)), name='a_link_is_for_one_at_least'),
        ),
        migrations.AddConstraint(
            model_name='signuprequest',
            constraint=models.UniqueConstraint(fields=('signup', 'ticket'), name='one_request_per_ticket'),
        ),
        migrations.AddConstraint(
            model_name='signuprequest',
            constraint=models.UniqueConstraint(fields=('signup', 'code'), name='one_request_per_code'),
        ),
        migrations.AddConstraint(
            model_name='signuprequest',
            constraint=models.UniqueConstraint(fields=('signup', 'form_key'), name='one_request_per_form'),
        ),
        migrations.AddConstraint(
            model_name='signuprequest',
            constraint=models.CheckConstraint(condition=models.Q(('ticket__gte', 1)), name='tickets_count_from_one'),
        ),
        migrations.AddConstraint(
            model_name='signuprequest',
            constraint=models.CheckConstraint(condition=models.Q(('members__lte', 2)), name='a_request_is_of_two_at_most'),
        ),
        migrations.AddConstraint(
            model_name='signuprequest',
            constraint=models.CheckConstraint(condition=models.Q(('joined__isnull', True), models.Q(('joined', models.F('pk')), _negated=True), _connector='OR'), name='nobody_is_joined_to_themselves'),
        ),
        migrations.AddConstraint(
            model_name='signupperson',
            constraint=models.UniqueConstraint(fields=('request', 'seat'), name='one_person_per_seat'),
        ),
        migrations.AddConstraint(
            model_name='signupperson',
            constraint=models.CheckConstraint(condition=models.Q(('seat__in', (1, 2))), name='a_request_has_two_seats'),
        ),
        migrations.AddConstraint(
            model_name='cashentry',
            constraint=models.CheckConstraint(condition=models.Q(('reverses__isnull', False), models.Q(('cents__gt', 0), ('kind__in', ('paid', 'waived'))), models.Q(('cents__lt', 0), ('kind', 'refund')), models.Q(('cents__lte', 0), ('kind', 'prize')), _connector='OR'), name='cash_has_the_sign_of_its_kind'),
        ),
    ]
