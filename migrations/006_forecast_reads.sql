-- What reveals add up to, by day and by month of sealing in Singapore, so that a report reads few rows. Not a ledger: all
-- of it follows from the reveals. Confidence, scores and MQS are summed in ten-thousandths, as whole numbers: sums are
-- then the same in any order. bucket is the tenth of confidence, -1 for a forecast that reports leave out.
create table forecast_sums (
  span text not null,
  span_start bigint not null,
  pocket_id text not null,
  generator text not null,
  prediction_type text not null,
  shadow integer not null,
  bucket integer not null,
  revealed bigint not null,
  scored bigint not null,
  hits bigint not null,
  baseline_hits bigint not null,
  score bigint not null,
  confidence bigint not null,
  mqs bigint not null,
  mqs_hits bigint not null,
  primary key (span, span_start, pocket_id, generator, shadow, bucket)
) /* clustered */;

-- Why forecasts missed, summed alike. eligible is 0 for those that reports leave out.
create table miss_sums (
  span text not null,
  span_start bigint not null,
  pocket_id text not null,
  generator text not null,
  prediction_type text not null,
  shadow integer not null,
  eligible integer not null,
  error_type text not null,
  misses bigint not null,
  primary key (span, span_start, pocket_id, generator, shadow, eligible, error_type)
) /* clustered */;

-- The days at both ends of a window are summed from their rows.
create index reveals_by_slot on reveals (slot);

-- How the newest forecasts of a pocket would differ, had its signals been others. Replaced at each slot.
create table outlook_shifts (
  pocket_id text primary key,
  slot bigint not null,
  body text not null
);
