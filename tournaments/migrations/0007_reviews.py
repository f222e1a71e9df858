import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0006_ratings'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='dispute',
            name='one_open_dispute_per_match',
        ),
        migrations.RemoveConstraint(
            model_name='dispute',
            name='a_ruling_has_a_time_and_a_reason',
        ),
        migrations.AddField(
            model_name='dispute',
            name='result',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='disputes', to='tournaments.result'),
        ),
        migrations.AddField(
            model_name='dispute',
            name='reviewed_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='dispute',
            name='reviewed_by',
            field=models.CharField(blank=True, max_length=200, verbose_name='taken up by'),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='state',
            field=models.CharField(choices=[('open', 'open'), ('review', 'under review'), ('upheld', 'result upheld'), ('amended', 'result amended'), ('voided', 'result voided')], default='open', max_length=10, verbose_name='state'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.UniqueConstraint(condition=models.Q(('state__in', ('open', 'review'))), fields=('match',), name='one_open_dispute_per_match'),
        ),
        migrations.AddConstraint(
            model_name='dispute',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ruled_at__isnull', True), ('state__in', ('open', 'review'))), models.Q(models.Q(('state__in', ('open', 'review')), _negated=True), ('ruled_at__isnull', False), models.Q(('ruling', ''), _negated=True)), _connector='OR'), name='a_ruling_has_a_time_and_a_reason'),
        ),
    ]
