-- Rollups: running totals of all rows before period_end, for every half hour of UTC that is settled. The sum over a span
-- is the difference between two rows of each key. All of them follow from the append-only tables and can be rebuilt.
-- Sums of fractions are in ten-thousandths. Where totals are by pocket, the pocket_id '' has those of all pockets together.

-- due is by the slot that a forecast is for; readings_after and calm_after are of the hour after each package.
create table rollup_pockets (
  period_end bigint not null check (period_end % 1800000 = 0),
  pocket_id text not null,
  readings bigint not null,
  anomalies bigint not null,
  calm bigint not null,
  emissions bigint not null,
  silences bigint not null,
  quiet_hours bigint not null,
  already_speaking bigint not null,
  vindicated bigint not null,
  missed bigint not null,
  unjudged bigint not null,
  lines_served bigint not null,
  lines_failed bigint not null,
  lines_unjudged bigint not null,
  attention_minutes bigint not null,
  due bigint not null,
  due_score bigint not null,
  readings_after bigint not null,
  calm_after bigint not null,
  idle_hours bigint not null,
  reclaimed_hours bigint not null,
  primary key (period_end, pocket_id)
) /* clustered */;

-- The whole network, by the reason of the silence.
create table rollup_reasons (
  period_end bigint not null check (period_end % 1800000 = 0),
  reason text not null,
  silences bigint not null,
  vindicated bigint not null,
  missed bigint not null,
  unjudged bigint not null,
  primary key (period_end, reason)
) /* clustered */;

-- The whole network, by the tier of what was said.
create table rollup_tiers (
  period_end bigint not null check (period_end % 1800000 = 0),
  tier text not null,
  emissions bigint not null,
  primary key (period_end, tier)
) /* clustered */;

-- The whole network, by what became of a line that was said.
create table rollup_outcomes (
  period_end bigint not null check (period_end % 1800000 = 0),
  outcome text not null,
  lines bigint not null,
  primary key (period_end, outcome)
) /* clustered */;

-- By the slot of sealing. squared_error sums the squares of confidence less hit, for the Brier score. A forecast is
-- eligible where its confidence and completeness suffice for a report of accuracy; the numbers 6 to 9 are tenths of
-- confidence. persistence_ and last_week_ are counts of the scored forecasts for which that rule gave a forecast too:
-- how many, the rule's hits and the service's hits. waking_ are the same sums of the forecasts for waking hours alone.
create table rollup_forecasts (
  period_end bigint not null check (period_end % 1800000 = 0),
  pocket_id text not null,
  generator text not null,
  prediction_type text not null,
  shadow integer not null,
  revealed bigint not null,
  scored bigint not null,
  hits bigint not null,
  score bigint not null,
  baseline_hits bigint not null,
  squared_error bigint not null,
  persistence_scored bigint not null,
  persistence_hits bigint not null,
  persistence_service_hits bigint not null,
  last_week_scored bigint not null,
  last_week_hits bigint not null,
  last_week_service_hits bigint not null,
  waking_scored bigint not null,
  waking_hits bigint not null,
  waking_baseline_hits bigint not null,
  waking_persistence_scored bigint not null,
  waking_persistence_hits bigint not null,
  waking_persistence_service_hits bigint not null,
  waking_last_week_scored bigint not null,
  waking_last_week_hits bigint not null,
  waking_last_week_service_hits bigint not null,
  eligible bigint not null,
  eligible_baseline_hits bigint not null,
  waking_eligible_scored bigint not null,
  waking_eligible_hits bigint not null,
  waking_eligible_baseline_hits bigint not null,
  mqs bigint not null,
  mqs_hits bigint not null,
  scored_6 bigint not null,
  hits_6 bigint not null,
  confidence_6 bigint not null,
  scored_7 bigint not null,
  hits_7 bigint not null,
  confidence_7 bigint not null,
  scored_8 bigint not null,
  hits_8 bigint not null,
  confidence_8 bigint not null,
  scored_9 bigint not null,
  hits_9 bigint not null,
  confidence_9 bigint not null,
  weather_miss bigint not null,
  eligible_weather_miss bigint not null,
  footfall_miss bigint not null,
  eligible_footfall_miss bigint not null,
  timing_miss bigint not null,
  eligible_timing_miss bigint not null,
  freshness_miss bigint not null,
  eligible_freshness_miss bigint not null,
  threshold_too_loose bigint not null,
  eligible_threshold_too_loose bigint not null,
  saturation_misread bigint not null,
  eligible_saturation_misread bigint not null,
  wrong_pocket_inheritance bigint not null,
  eligible_wrong_pocket_inheritance bigint not null,
  primary key (period_end, pocket_id, generator, prediction_type, shadow)
) /* clustered */;

-- The whole network, by the slot of sealing: forecasts of the state of a pocket by the tenth that their calm probability
-- was in (9 is 0.9 to 1), how many of them were for a time at which the pocket was calm, and the sum of the probabilities.
create table rollup_calm (
  period_end bigint not null check (period_end % 1800000 = 0),
  generator text not null,
  shadow integer not null,
  waking integer not null,
  tenth integer not null,
  forecasts bigint not null,
  calm bigint not null,
  probability bigint not null,
  primary key (period_end, generator, shadow, waking, tenth)
) /* clustered */;
