-- How far the first history is written: one row, updated in the transaction of each day. Slots are inclusive. The
-- writing goes on after a kill: `run_from_slot` and `run_began_at` are those of the run that writes now, for the
-- estimate of the time left.
create table history_progress (
  id integer primary key check (id = 1),
  from_slot bigint not null,
  until_slot bigint not null,
  reached_slot bigint not null,
  run_from_slot bigint not null,
  run_began_at bigint not null,
  updated_at bigint not null,
  finished integer not null
);
