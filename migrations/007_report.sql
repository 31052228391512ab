-- Reports on weeks and months that have ended.

-- A report as it was composed. week_iso is a week of local days.
create table weekly_reports (
  week_iso text not null,
  pocket_id text not null,
  composed_at bigint not null,
  metrics text not null,
  basis text not null,
  holidays text not null,
  sets_apart text not null,
  compared_with text not null,
  narrative text not null,
  primary key (week_iso, pocket_id)
) /* clustered */;
create index weekly_reports_by_pocket on weekly_reports (pocket_id, week_iso);

-- month_iso is a month of local days. observations is null when there were too few readings to report on.
-- decisions_judged is JSON: the four cells of the pocket's decisions and their outcomes.
create table pocket_reports (
  month_iso text not null,
  pocket_id text not null,
  composed_at bigint not null,
  readings integer not null,
  observations text,
  narrative text not null,
  decisions_judged text not null,
  primary key (month_iso, pocket_id)
) /* clustered */;
create index pocket_reports_by_pocket on pocket_reports (pocket_id, month_iso);

-- The network's month. Null: nothing to average. forecasts is JSON: the filter of accuracy, and the accuracy without it.
-- decisions_judged is JSON: the four cells of all pockets.
create table restraint_reports (
  month_iso text primary key,
  composed_at bigint not null,
  signals_emitted_count integer not null,
  signals_withheld_count integer not null,
  already_speaking_count integer not null,
  quiet_hours_count integer not null,
  accuracy double precision,
  naive_baseline_accuracy double precision,
  gap_points double precision,
  forecasts text not null,
  silence_correctness_rate double precision,
  attention_minutes_preserved double precision not null,
  counterfactual_count integer not null,
  narrative_top_failure text,
  narrative_top_success text,
  decisions_judged text not null
);

-- The runs of jobs whose rows are events of /api/stream, numbered without gaps in the order in which they were
-- committed: a run takes its number while it holds the lock of the pipeline's state. "log_size" is the size of the
-- ledger before the run: what it revealed is at this leaf or later. Runs of the first history, which is written on a
-- virtual clock, are not in it.
create table stream_runs (
  number bigint primary key,
  job text not null,
  slot bigint not null,
  ran_at bigint not null,
  log_size bigint not null
);

-- append-only: stream_runs, weekly_reports, pocket_reports, restraint_reports
