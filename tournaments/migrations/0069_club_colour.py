"""A colour of a club, which is seen on light and on dark pages."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0068_club_pictures'),
    ]

    operations = [
        migrations.AddField(
            model_name='clubprofile',
            name='colour',
            field=models.CharField(blank=True, db_default='', default='', max_length=7, verbose_name='colour'),
        ),
    ]
