"""Pictures of clubs, encoded again: a logo and a photograph."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0067_club_profile'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClubPicture',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('logo', 'logo'), ('photo', 'photograph')], max_length=5, verbose_name='kind')),
                ('content', models.BinaryField(verbose_name='content')),
                ('digest', models.CharField(max_length=16, verbose_name='digest')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='tournaments.club')),
            ],
            options={
                'verbose_name': 'picture of a club',
                'verbose_name_plural': 'pictures of clubs',
                'constraints': [models.UniqueConstraint(fields=('club', 'kind'), name='one_picture_of_a_kind'), models.CheckConstraint(condition=models.Q(('kind__in', ('logo', 'photo'))), name='picture_kind_is_known')],
            },
        ),
    ]
