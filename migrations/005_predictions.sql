-- Forecasts, sealed in the ledger under their id; the payload there is what counts.
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
create index predictions_by_reveal on predictions (reveal_at);

-- What became of a forecast. No score: inconclusive, nothing was read within 15 minutes.
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
  accuracy_score double precision,
  baseline_score double precision,
  error_type text,
  leaf bigint not null
);
create index reveals_by_pocket on reveals (pocket_id, slot);

-- append-only: predictions, reveals

-- The forecaster as it was after a slot, in parts of base64. Not a ledger: it can be learned again from the readings.
create table forecaster_states (
  slot bigint not null,
  part integer not null,
  body text not null,
  primary key (slot, part)
) /* clustered */;
