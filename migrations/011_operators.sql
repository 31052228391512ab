-- What operators do by their commands, and what waits for them. None of it is about a person.

-- Operators take turns: whoever has raised this is alone until the transaction ends, so that changes become visible in
-- the order of their numbers. Not a ledger.
create table operator_turn (id integer primary key check (id = 1), turn bigint not null);
insert into operator_turn (id, turn) values (1, 0);

-- What was added to the outlets of the registry's files, or changed of them: the fields, as JSON. The latest counts.
create table outlet_changes (
  seq integer primary key,
  at bigint not null,
  outlet_id text not null,
  action text not null,
  body text not null
);

-- Outlets that asked to be removed, and when that has to be done.
create table takedowns (
  id integer primary key,
  outlet_id text not null,
  requested_at bigint not null,
  recorded_at bigint not null,
  due_at bigint not null
);
create index takedowns_by_outlet on takedowns (outlet_id);

create table takedown_resolutions (
  takedown_id integer primary key,
  outcome text not null,
  resolved_at bigint not null
);

-- Lines that broke the voice when a question was answered; what the caller had said is left out of them.
create table withheld_lines (
  id text primary key,
  at bigint not null,
  operation text not null,
  faults text not null,
  line text not null
);

-- What a person made of something that was withheld: a line of the table above, or a silence.
create table review_verdicts (
  review_id text primary key,
  verdict text not null,
  note text not null,
  at bigint not null
);

create index silences_by_voice on silences (slot) where gate = 'voice';

-- append-only: outlet_changes, takedowns, takedown_resolutions, withheld_lines, review_verdicts
