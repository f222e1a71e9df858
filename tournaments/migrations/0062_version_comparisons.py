"""Comparisons of two versions of a bot, and the deal sets that they have played."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0061_best_of_the_others'),
    ]

    operations = [
        migrations.CreateModel(
            name='VersionComparison',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=40, verbose_name='ruleset')),
                ('sets', models.PositiveSmallIntegerField(verbose_name='deal sets')),
                ('stop', models.JSONField()),
                ('seed', models.CharField(max_length=64)),
                ('outcome', models.CharField(blank=True, choices=[('high', 'better than the other'), ('low', 'not better than the other'), ('undecided', 'undecided after all deal sets'), ('stopped', 'stopped by hand'), ('forfeits', 'ended by faults of a version'), ('broken', 'broken off by the machine')], max_length=10, verbose_name='outcome')),
                ('fault', models.TextField(blank=True)),
                ('kept', models.BooleanField(default=False)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('lease_token', models.CharField(blank=True, max_length=32)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('woken_at', models.DateTimeField(blank=True, null=True)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('base', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.botversion')),
                ('bot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comparisons', to='tournaments.bot')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.botversion')),
            ],
            options={
                'verbose_name': 'comparison of versions',
                'verbose_name_plural': 'comparisons of versions',
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='ComparedSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('version_points', models.PositiveSmallIntegerField()),
                ('base_points', models.PositiveSmallIntegerField()),
                ('forfeits', models.JSONField(default=list)),
                ('records', models.BinaryField()),
                ('comparison', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='played', to='tournaments.versioncomparison')),
            ],
            options={
                'verbose_name': 'deal set of a comparison',
                'verbose_name_plural': 'deal sets of comparisons',
                'ordering': ('comparison_id', 'number'),
            },
        ),
        migrations.AddConstraint(
            model_name='versioncomparison',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('bot',), name='one_comparison_of_a_bot_at_once'),
        ),
        migrations.AddConstraint(
            model_name='versioncomparison',
            constraint=models.CheckConstraint(condition=models.Q(('version', models.F('base')), _negated=True), name='a_version_is_not_compared_with_itself'),
        ),
        migrations.AddConstraint(
            model_name='versioncomparison',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('outcome', '')), models.Q(('ended_at__isnull', False), models.Q(('outcome', ''), _negated=True)), _connector='OR'), name='a_comparison_ends_with_an_outcome'),
        ),
        migrations.AddConstraint(
            model_name='comparedset',
            constraint=models.UniqueConstraint(fields=('comparison', 'number'), name='a_compared_set_is_played_once'),
        ),
    ]
