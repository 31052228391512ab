-- Reports on weeks and months that have ended, and the rollups from which long windows are answered.

-- A report as it was composed. week_iso is a week in Singapore.
create table weekly_reports (
  week_iso text not null,
  pocket_id text not null,
  composed_at bigint not null,
  metrics text not null,
  basis text not null,
  narrative text not null,
  primary key (week_iso, pocket_id)
) /* clustered */;
create index weekly_reports_by_pocket on weekly_reports (pocket_id, week_iso);

-- month_iso is a month in Singapore. observations is null when there were too few readings to report on.
create table pocket_reports (
  month_iso text not null,
  pocket_id text not null,
  composed_at bigint not null,
  readings integer not null,
  observations text,
  narrative text not null,
  primary key (month_iso, pocket_id)
) /* clustered */;
create index pocket_reports_by_pocket on pocket_reports (pocket_id, month_iso);

-- The network's month. Null: nothing to average.
create table restraint_reports (
  month_iso text primary key,
  composed_at bigint not null,
  signals_emitted_count integer not null,
  signals_withheld_count integer not null,
  accuracy double precision,
  naive_baseline_accuracy double precision,
  gap_points double precision,
  silence_correctness_rate double precision,
  attention_minutes_preserved double precision not null,
  counterfactual_count integer not null,
  narrative_top_failure text,
  narrative_top_success text
);

-- append-only: weekly_reports, pocket_reports, restraint_reports

-- Rollups. All of them follow from the append-only tables and can be rebuilt.

-- Sums of reveals by hour, day and month of sealing in Singapore. They are updated at the end of a transaction, so jobs
-- read the reveals themselves.
create table reveal_sums (
  span text not null,
  span_start bigint not null,
  pocket_id text not null,
  body text not null,
  primary key (span, span_start, pocket_id)
) /* clustered */;

-- Counts of readings, decisions, verdicts and forecasts in each third of a day, written once all of them are judged.
-- Thirds begin at 00:00, 08:00 and 16:00 UTC, so that days of UTC and of Singapore are both made of them.
create table pocket_thirds (
  start bigint not null,
  pocket_id text not null,
  readings integer not null,
  anomalies integer not null,
  emissions integer not null,
  silences integer not null,
  vindicated integer not null,
  missed integer not null,
  unjudged integer not null,
  attention_minutes double precision not null,
  sealed integer not null,
  scored integer not null,
  inconclusive integer not null,
  score bigint not null,
  due integer not null,
  due_score bigint not null,
  primary key (start, pocket_id)
) /* clustered */;

-- The same for the whole network, by gate, tier, generator and cause of a miss, as JSON. A third is complete when it
-- has a row here.
create table third_kinds (
  start bigint primary key,
  body text not null
);
