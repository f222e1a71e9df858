"""What a club says of itself: address, contact, opening hours, a line of news, house terms."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0066_judgements_by_seat'),
    ]

    operations = [
        migrations.CreateModel(
            name='ClubProfile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(blank=True, max_length=200, verbose_name='address')),
                ('contact', models.CharField(blank=True, max_length=200, verbose_name='contact')),
                ('opening_hours', models.CharField(blank=True, max_length=200, verbose_name='opening hours')),
                ('news', models.CharField(blank=True, max_length=200, verbose_name='news')),
                ('house_terms', models.TextField(blank=True, max_length=4000, verbose_name='house terms')),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='profile', to='tournaments.club')),
            ],
            options={
                'verbose_name': 'profile of a club',
                'verbose_name_plural': 'profiles of clubs',
            },
        ),
    ]
