-- Offers to merchants and their outcomes, and operators' changes to outlets.

-- What each active outlet was ready for. The reason and the signals that are served follow from cause and
-- idle_pressure.
create table merchant_readiness (
  slot bigint not null,
  pocket_id text not null,
  outlet_id text not null,
  cause text not null,
  confidence double precision not null,
  idle_pressure double precision,
  primary key (slot, pocket_id, outlet_id)
) /* clustered */;

-- Drafted where a moment meets a ready outlet. The story that goes with a brief is that of its pocket and slot.
create table moment_briefs (
  id text primary key,
  slot bigint not null,
  pocket_id text not null,
  outlet_id text not null,
  state text not null,
  line text not null,
  value_stack text not null,
  window_start bigint not null,
  window_end bigint not null,
  expires_at bigint not null
);
create index moment_briefs_by_slot on moment_briefs (slot);

-- At most one answer to a brief. An acceptance is a commitment: it has a window, during which it is shown, and ends by
-- the clock. answered_by is "operator" or "simulated".
create table brief_answers (
  brief_id text primary key,
  pocket_id text not null,
  outlet_id text not null,
  answer text not null,
  answered_at bigint not null,
  answered_by text not null,
  window_start bigint,
  window_end bigint
);
create index brief_answers_by_end on brief_answers (window_end);
create index brief_answers_by_pocket on brief_answers (pocket_id, window_end);
create index brief_answers_by_outlet on brief_answers (outlet_id, window_end);

-- The outcome of each commitment, including one without effect: the activity in its window and the usual activity.
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

-- Sustainability events. The outlet is never published. Money is in cents.
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

-- Outlets that operators added to those of the registry's files, or changed: the fields, as JSON. The latest row of an
-- outlet counts.
create table outlet_changes (
  seq integer primary key,
  at bigint not null,
  outlet_id text not null,
  action text not null,
  body text not null
);

-- Outlets that asked to be removed, and by when that has to be done.
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

-- append-only: merchant_readiness, moment_briefs, brief_answers, commitment_outcomes, sustainability_events
-- append-only: outlet_changes, takedowns, takedown_resolutions
