-- Offers to merchants. What one consents to is a row of its own: it shows while its window lasts, and ends by the clock.

-- Drafted where a moment and a ready outlet meet. The story it goes with is that of its pocket and slot.
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

-- One answer at most. A window stands with an acceptance only. answered_by: operator, or simulated.
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

-- append-only: moment_briefs, brief_answers
