-- Submissions that were accepted and are not in the ledger yet: a transaction of their own stores them, without waiting for
-- whoever appends, and the next one that appends moves them. sealed_at is the store's time of acceptance, items_bytes the
-- length of the items.
create table accepted_submissions (
  id text primary key,
  submitter_name text not null,
  sealed_at bigint not null,
  window_start bigint not null,
  window_end bigint not null,
  prediction_count integer not null,
  items text not null,
  items_hash text not null,
  items_bytes integer not null
);

-- From when on forecasts are compared with a submission that reached the ledger late; null: from its sealed_at on.
alter table submissions add column scored_from bigint;
