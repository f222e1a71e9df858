"""What holds for the rows of 0003, now that 0004 has filled them; the number of turns is a setting."""

import django.db.models.expressions
import django.db.models.functions
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_fill_director")]

    operations = [
        migrations.RemoveConstraint(
            model_name='stage',
            name='a_stage_has_a_turn',
        ),
        migrations.RemoveField(
            model_name='stage',
            name='turns',
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('tournament', 'player'), name='one_entry_per_player'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('tournament', 'code'), name='one_entry_per_code'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('bot__isnull', False), ('pair__isnull', True), ('player__isnull', True)), models.Q(('bot__isnull', True), ('pair__isnull', False), ('player__isnull', True), ('seats', 2)), models.Q(('bot__isnull', True), ('pair__isnull', True), ('player__isnull', False), ('seats', 1)), _connector='OR'), name='an_entry_is_a_pair_a_player_or_a_bot'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.CheckConstraint(condition=models.Q(('joined_round__gte', 1)), name='nobody_plays_before_round_one'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('away__isnull', True), ('state', 'bye'), ('bye__in', ('pairing', 'full', 'half', 'zero'))), models.Q(models.Q(('state', 'bye'), _negated=True), ('away__isnull', False), ('bye', '')), _connector='OR'), name='a_bye_has_no_opponent'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('away_partner__isnull', True), ('home_partner__isnull', True)), models.Q(('away_partner__isnull', False), ('home_partner__isnull', False), ('third__isnull', True)), _connector='OR'), name='partners_come_in_twos'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('third__isnull', True), ('away__isnull', False), _connector='OR'), name='a_third_has_two_others'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.UniqueConstraint(condition=models.Q(('counts_from__isnull', False), ('counts_until__isnull', True)), fields=('match',), name='one_counting_result_per_match'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('home_hands__gt', models.F('away_hands')), ('winner', 'home')), models.Q(('home_hands__lt', models.F('away_hands')), ('winner', 'away')), models.Q(('home_hands', models.F('away_hands')), ('winner', 'tie')), ('depth', 'forfeit'), models.Q(('decided', ''), _negated=True), ('third_hands__isnull', False), _connector='OR'), name='the_winner_has_more_hands'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('depth', 'record'), ('record__isnull', False)), ('depth__in', ('hands', 'score')), models.Q(('depth__in', ('ruling', 'forfeit')), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='a_result_has_a_record_or_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='result',
            constraint=models.CheckConstraint(condition=models.Q(('counts_until__isnull', True), models.Q(('counts_from__isnull', False), ('counts_until__gte', models.F('counts_from'))), _connector='OR'), name='a_result_counts_before_it_ceases'),
        ),
        migrations.AddConstraint(
            model_name='stage',
            constraint=models.CheckConstraint(condition=models.Q(('begun_at__isnull', True), models.Q(('seed', ''), _negated=True), _connector='OR'), name='a_stage_begins_with_a_seed'),
        ),
        migrations.AddConstraint(
            model_name='absence',
            constraint=models.UniqueConstraint(condition=models.Q(('until_round__isnull', True)), fields=('entry',), name='one_open_absence_per_entry'),
        ),
        migrations.AddConstraint(
            model_name='absence',
            constraint=models.CheckConstraint(condition=models.Q(('until_round__isnull', True), ('until_round__gt', models.F('from_round')), _connector='OR'), name='an_absence_ends_after_it_begins'),
        ),
        migrations.AddConstraint(
            model_name='absence',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'expelled'), _negated=True), ('until_round__isnull', True), _connector='OR'), name='nobody_returns_from_expulsion'),
        ),
        migrations.AddConstraint(
            model_name='byerequest',
            constraint=models.UniqueConstraint(fields=('entry', 'round_number'), name='one_bye_request_per_round'),
        ),
        migrations.AddConstraint(
            model_name='penalty',
            constraint=models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='a_penalty_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='penalty',
            constraint=models.CheckConstraint(condition=models.Q(('hands', 0), ('match_points', 0), ('points', 0), _negated=True), name='a_penalty_takes_something'),
        ),
        migrations.AddConstraint(
            model_name='substitution',
            constraint=models.CheckConstraint(condition=models.Q(('leaves', models.F('comes')), _negated=True), name='nobody_substitutes_himself'),
        ),
        migrations.AddConstraint(
            model_name='substitution',
            constraint=models.CheckConstraint(condition=models.Q(('until_round__isnull', True), ('until_round__gt', models.F('from_round')), _connector='OR'), name='a_substitution_ends_after_it_begins'),
        ),
        ]
