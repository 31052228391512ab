-- What became of each commitment, also of those that brought nothing: what was in use, and what usually is.
create table commitment_outcomes (
  brief_id text primary key,
  slot bigint not null,
  pocket_id text not null,
  outlet_id text not null,
  activity double precision not null,
  usual double precision not null,
  idle_hours double precision not null,
  reclaimed_hours double precision not null
);
create index commitment_outcomes_by_slot on commitment_outcomes (slot);

-- Events in which value was kept from being wasted. The outlet is never published. Money is in cents.
create table sustainability_events (
  id text primary key,
  slot bigint not null,
  pocket_id text not null,
  outlet_id text,
  kind text not null,
  magnitude double precision not null,
  value_cents bigint not null,
  evidence text not null
);
create index sustainability_events_by_slot on sustainability_events (slot);
create index sustainability_events_by_pocket on sustainability_events (pocket_id, slot);
create index sustainability_events_by_outlet on sustainability_events (outlet_id, slot);

-- append-only: commitment_outcomes, sustainability_events
