-- What running the service needs: the revision that readers watch, the claims of the pipeline's jobs, the state it
-- carries between slots, the queue of human reviews, the lock of the operators' commands, the builds that ran, and what
-- the checks of the heartbeat found.
--
-- Rules of every file in this folder:
--   One SQL for SQLite and PostgreSQL. Times are epoch milliseconds, flags are 0 or 1, JSON is text.
--   "slot" is the start of the quarter hour that a row is about.
--   A table marked "clustered" is stored in the order of its primary key where the engine can do that.
--   A line "append-only: a, b" makes the named tables refuse UPDATE and DELETE. Tables without it hold what can be
--   computed again from the append-only ones, a counter, or what is needed for a day only.

-- Every writing transaction raises one of the two: a reader that sees the same ones has current answers in its cache.
-- "log_revision": the transaction only appended to the log, as a submission does.
create table store_revision (
  id integer primary key check (id = 1),
  revision bigint not null,
  log_revision bigint not null
);
insert into store_revision (id, revision, log_revision) values (1, 0, 0);

-- Which job ran for which slot, and on which worker. The row is inserted in the transaction that does the work, so
-- the key makes each job run once for a slot, and a worker that dies leaves no claim behind.
create table job_runs (
  job text not null,
  slot bigint not null,
  worker text not null,
  ran_at bigint not null,
  primary key (job, slot)
) /* clustered */;

-- The state that the pipeline carries from one slot to the next, as JSON. It can be computed again.
create table pipeline_state (
  key text primary key,
  body text not null
);

-- The lock of the commands with which operators change data: each updates this row first and so waits for the others,
-- and changes become visible in the order of their numbers. "acquired" counts how often the lock was taken.
create table operator_lock (id integer primary key check (id = 1), acquired bigint not null);
insert into operator_lock (id, acquired) values (1, 0);

-- Lines that broke the voice rules while a question was answered, withheld from the answer. Text that came from the
-- caller is left out of them.
create table withheld_lines (
  id text primary key,
  at bigint not null,
  operation text not null,
  faults text not null,
  line text not null
);

-- An operator's verdict on something withheld: a row of withheld_lines or of silences.
create table review_verdicts (
  review_id text primary key,
  verdict text not null,
  note text not null,
  at bigint not null
);

-- How far the first history is written: one row, updated in the transaction of each day. Slots are inclusive. The
-- writing goes on after a kill: `run_from_slot` and `run_began_at` are those of the run that writes now, for the
-- estimate of the time left. `leaves`: the size of the ledger after the slot reached, so that its entries below that
-- leaf are the history's.
create table history_progress (
  id integer primary key check (id = 1),
  from_slot bigint not null,
  until_slot bigint not null,
  reached_slot bigint not null,
  run_from_slot bigint not null,
  run_began_at bigint not null,
  updated_at bigint not null,
  finished integer not null,
  leaves bigint not null
);

-- Each build that has served from this store, and when it did so first.
create table builds (
  version text primary key,
  first_run_at bigint not null
);

-- What the checks of the heartbeat found, by day: in how many quarter hours each was green, amber and red. "day" is the
-- start of the city's day. Every answering process tries to record each quarter hour; "last_slot" is the last one that
-- was counted, so that it counts once.
create table check_days (
  day bigint not null,
  name text not null,
  green integer not null,
  amber integer not null,
  red integer not null,
  last_slot bigint not null,
  primary key (day, name)
) /* clustered */;

-- append-only: job_runs, withheld_lines, review_verdicts, builds
