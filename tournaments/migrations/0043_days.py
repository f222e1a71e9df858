"""Add the days of a tournament, and let a round name its day."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0042_same_as'),
    ]

    operations = [
        migrations.CreateModel(
            name='Day',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('starts_at', models.DateTimeField(blank=True, null=True, verbose_name='begins')),
                ('place', models.CharField(blank=True, max_length=100, verbose_name='where it is played')),
                ('play_by', models.DateField(blank=True, null=True, verbose_name='to be played by')),
                ('note', models.CharField(blank=True, max_length=200, verbose_name='note')),
                ('holds', models.PositiveSmallIntegerField(default=1, verbose_name='rounds on this day')),
                ('moved_from', models.DateTimeField(blank=True, null=True, verbose_name='moved from')),
                ('sequence', models.PositiveSmallIntegerField(default=0)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='days', to='tournaments.tournament')),
            ],
            options={
                'verbose_name': 'day',
                'verbose_name_plural': 'days',
                'ordering': ('tournament_id', 'number'),
            },
        ),
        migrations.AddField(
            model_name='round',
            name='day',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rounds', to='tournaments.day'),
        ),
        migrations.AddConstraint(
            model_name='day',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='one_day_per_number'),
        ),
        migrations.AddConstraint(
            model_name='day',
            constraint=models.CheckConstraint(condition=models.Q(('starts_at__isnull', False), ('play_by__isnull', False), _connector='OR'), name='a_day_begins_or_ends'),
        ),
    ]
