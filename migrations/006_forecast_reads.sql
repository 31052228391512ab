-- What reveals add up to, by hour, day and month of sealing in Singapore, so that an answer reads few rows. Not a ledger:
-- all of it follows from the reveals. It is brought up to date when a transaction ends, so jobs read the reveals instead.
create table reveal_sums (
  span text not null,
  span_start bigint not null,
  pocket_id text not null,
  body text not null,
  primary key (span, span_start, pocket_id)
) /* clustered */;

create index reveals_by_slot on reveals (slot);

-- How the newest forecasts of a pocket would differ, had its signals been others. Replaced at each slot.
create table outlook_shifts (
  pocket_id text primary key,
  slot bigint not null,
  body text not null
);
