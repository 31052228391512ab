-- What others forecast, sealed in the ledger under its id. The items stand here alone, as the canonical text that the
-- ledger holds the hash of; they are public once the window has closed. Neither e-mail nor description is kept.
create table submissions (
  leaf integer primary key,
  id text not null,
  submitter_name text not null,
  sealed_at bigint not null,
  window_start bigint not null,
  window_end bigint not null,
  prediction_count integer not null,
  items text not null,
  items_hash text not null
);
create index submissions_by_items on submissions (items_hash);
create index submissions_by_end on submissions (window_end);

-- Written once, when the window has closed and all in it is revealed. Null: nothing to average.
create table submission_scores (
  submission_leaf integer primary key,
  scored_at bigint not null,
  scored_count integer not null,
  accuracy double precision,
  silence_correctness double precision,
  calibration_error double precision,
  gap_vs_service double precision,
  gap_vs_naive double precision
);

-- What the service and the naive baseline reached on the forecasts revealed for a slot, as sums.
create table benchmark_references (
  slot bigint primary key,
  scored_at bigint not null,
  forecasts integer not null,
  squared_error double precision not null,
  service_hits integer not null,
  service_calm_calls integer not null,
  service_calm_right integer not null,
  naive_hits integer not null,
  naive_calm_calls integer not null,
  naive_calm_right integer not null
) /* clustered */;

-- append-only: submissions, submission_scores, benchmark_references
