-- Forecasts of the service, their reveals, and the public benchmark.

-- A forecast, sealed in the ledger under its id. The payload in ledger_entries is authoritative; the columns here are
-- for queries. leaf is its position in the ledger.
create table predictions (
  leaf integer primary key,
  id text not null,
  slot bigint not null,
  pocket_id text not null,
  generator text not null,
  prediction_type text not null,
  reveal_at bigint not null,
  confidence double precision not null,
  completeness double precision not null,
  shadow integer not null
);
create index predictions_by_pocket on predictions (pocket_id, slot);
create index predictions_by_slot on predictions (slot);
-- Forecasts that are due are read in the order of sealing, in batches.
create index predictions_by_reveal_order on predictions (reveal_at, leaf);

-- The outcome of a forecast. A reveal without scores is inconclusive: nothing was read within 15 minutes of reveal_at.
-- persistence_score and last_week_score are those of two simple rules on the same outcome, computed from the readings
-- and not sealed; null where the rule had nothing to go by. waking tells whether reveal_at is in waking hours. Of a
-- forecast of the state of a pocket, expected_calm and calm_probability are as they were sealed and was_calm tells
-- whether the observed state was a calm one; they are null for the other types, and was_calm where it is inconclusive.
create table reveals (
  prediction_leaf integer primary key,
  prediction_id text not null,
  slot bigint not null,
  reveal_at bigint not null,
  revealed_at bigint not null,
  pocket_id text not null,
  generator text not null,
  prediction_type text not null,
  confidence double precision not null,
  completeness double precision not null,
  shadow integer not null,
  waking integer not null,
  expected_calm double precision,
  calm_probability double precision,
  was_calm integer,
  accuracy_score double precision,
  baseline_score double precision,
  persistence_score double precision,
  last_week_score double precision,
  error_type text,
  leaf bigint not null
);
create index reveals_by_pocket on reveals (pocket_id, slot);
create index reveals_by_slot on reveals (slot);
create index reveals_by_leaf on reveals (leaf);

-- The forecaster's state after a slot, in parts of base64. It can be learned again from the readings.
create table forecaster_states (
  slot bigint not null,
  part integer not null,
  body text not null,
  primary key (slot, part)
) /* clustered */;

-- The newest forecasts of a pocket in each scenario that applies to it, as JSON. Replaced at every slot.
create table scenario_outlooks (
  pocket_id text primary key,
  slot bigint not null,
  body text not null
);

-- Forecasts submitted by others, sealed in the ledger under their id. The items are stored here only, as the canonical
-- text whose hash the ledger holds, and are published once the window has closed. Neither e-mail address nor
-- description is stored.
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
create index submissions_by_sealing on submissions (sealed_at);
create index submissions_by_id on submissions (id);

-- The idempotency keys of the submissions of the last day, so that one that is sent twice is sealed once: hashes of what
-- was sent, and of the key that a client chose with the client's address. They have a secret, so that no address can be
-- found from them. Older rows are removed with the next submission.
create table submission_keys (
  key text primary key,
  submission_id text not null,
  sent_at bigint not null
);
create index submission_keys_by_time on submission_keys (sent_at);

-- That secret, encrypted with the ledger's key, whose id is key_id: a copy of the store alone does not tell it. A change
-- of that key encrypts it anew.
create table submission_secret (
  id integer primary key check (id = 1),
  key_id text not null,
  encrypted text not null
);

-- Written once, when the window has closed and every forecast in it is revealed. Null: nothing to average.
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

-- What the service and the naive baseline reached on the forecasts revealed for a slot, as sums, so that a submission
-- can be compared with both over any window.
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

-- append-only: predictions, reveals
-- append-only: submissions, submission_scores, benchmark_references
