-- What was decided for each pocket at each slot, what was said, and the verdicts on both.

-- A pocket's moment, its quality (mqs) and its resonance, with the values that they were compared with, so that the
-- same question asked again is answered from the same figures. What was not measured is null.
create table moments (
  slot bigint not null,
  pocket_id text not null,
  primary_state text not null,
  calm_probability double precision not null,
  calm_level double precision not null,
  calm_change double precision not null,
  signal_saturation double precision not null,
  movement_friction double precision,
  fragility double precision not null,
  half_life_minutes integer not null,
  expires_at bigint not null,
  window_ends_at bigint,
  window_held_share double precision,
  window_expected_calm double precision not null,
  silence_reasons text not null,
  mqs double precision not null,
  band text not null,
  usefulness double precision not null,
  urgency double precision not null,
  calmness double precision not null,
  merchant_fit double precision,
  user_need double precision not null,
  previous_mqs double precision,
  resonance double precision not null,
  layer_time double precision not null,
  layer_physical double precision,
  layer_human_energy double precision not null,
  layer_merchant_state double precision,
  layer_attention_density double precision not null,
  layer_intent double precision not null,
  layer_temporal double precision not null,
  usual_stress double precision,
  usual_calm double precision,
  network_calm double precision,
  spare_capacity double precision,
  fatigue double precision not null,
  primary key (slot, pocket_id)
) /* clustered */;
create index moments_by_pocket on moments (pocket_id, slot);

-- A decision not to speak, sealed in the ledger under its id. The payload in ledger_entries is authoritative; the
-- columns here are for queries. leaf is its position in the ledger.
create table silences (
  leaf integer primary key,
  id text not null,
  slot bigint not null,
  pocket_id text not null,
  gate text not null,
  reason text not null,
  candidate_confidence double precision not null,
  legitimacy_score double precision not null,
  band text not null,
  usual_calm double precision,
  -- The only closed gate, where its score fell short by little; null otherwise.
  near_miss text,
  window_end bigint not null
);
create index silences_by_slot on silences (slot);
create index silences_by_pocket on silences (pocket_id, slot);
create index silences_by_end on silences (window_end);
-- Human reviews list these silences only.
create index silences_by_voice on silences (slot) where gate = 'voice';
create index silences_by_near_miss on silences (slot) where near_miss is not null;

-- A slot with a moment at which nothing was decided, and why: quiet_hours or already_speaking. Not sealed, not judged.
create table pauses (
  slot bigint not null,
  pocket_id text not null,
  kind text not null,
  legitimacy_score double precision not null,
  primary key (slot, pocket_id)
) /* clustered */;
create index pauses_by_pocket on pauses (pocket_id, slot);

-- A package: what was said, sealed in the ledger under its id. A pocket has at most one that is live: nothing is said until the last line has expired.
-- pqs, its quality score, is for operators and never published.
create table packages (
  id text primary key,
  slot bigint not null,
  pocket_id text not null,
  source_kind text not null,
  tier text not null,
  composed_text text not null,
  json_ld text not null,
  attribution_meta text not null,
  confidence double precision not null,
  legitimacy_score double precision not null,
  mqs double precision not null,
  resonance double precision not null,
  pqs double precision not null,
  expires_at bigint not null,
  usual_calm double precision,
  leaf integer not null
);
create index packages_by_slot on packages (slot);
create index packages_by_pocket on packages (pocket_id, slot);
create index packages_by_end on packages (expires_at);
create index packages_by_leaf on packages (leaf);

-- The verdict on a line (spoke 1) or a silence (0), sealed in the ledger when its end has come. served tells whether the
-- line served, or would have; null where readings or the usual are missing. reason is the silence's.
create table verdicts (
  decision_id text primary key,
  leaf integer not null,
  slot bigint not null,
  pocket_id text not null,
  spoke integer not null,
  reason text,
  revealed_at bigint not null,
  served integer,
  outcome text not null,
  attention_minutes_preserved double precision not null
);
create index verdicts_by_slot on verdicts (slot);
create index verdicts_by_pocket on verdicts (pocket_id, slot);
create index verdicts_by_leaf on verdicts (leaf);

-- The four clauses of a pocket's live story, written every half hour. A story expires with its moment.
create table live_stories (
  slot bigint not null,
  pocket_id text not null,
  expires_at bigint not null,
  why_now text not null,
  why_this_merchant text not null,
  why_users_care text not null,
  why_pocket_benefits text not null,
  receipts text not null,
  primary key (pocket_id, slot)
) /* clustered */;

-- Each dimension is null when there is nothing to average. composite is the mean of those that are not null.
create table equilibrium_readings (
  slot bigint not null,
  pocket_id text not null,
  atmosphere_calm double precision,
  restraint_quality double precision,
  citizen_alignment double precision,
  prediction_trust double precision,
  emission_quality double precision,
  waste_avoidance double precision,
  composite double precision,
  direction text not null,
  primary key (slot, pocket_id)
) /* clustered */;
create index equilibrium_readings_by_pocket on equilibrium_readings (pocket_id, slot);

-- What changed within an hour of the moments at which it was decided to speak (spoke 1) or not to (0): sums over one
-- local day, which slot begins, for each part of the week and state. calm is of readings, use the share of places in use.
create table hour_changes (
  slot bigint not null,
  pocket_id text not null,
  part text not null,
  primary_state text not null,
  spoke integer not null,
  calm_n integer not null,
  calm_sum double precision not null,
  calm_squares double precision not null,
  use_n integer not null,
  use_sum double precision not null,
  use_squares double precision not null,
  primary key (pocket_id, slot, part, primary_state, spoke)
) /* clustered */;

-- Speaking compared with like moments of silence over the 90 days before slot. A difference is null without a pair, its
-- error where nothing varies.
create table silence_comparisons (
  slot bigint not null,
  pocket_id text not null,
  calm_pairs integer not null,
  calm_difference double precision,
  calm_error double precision,
  use_pairs integer not null,
  use_difference double precision,
  use_error double precision,
  primary key (slot, pocket_id)
) /* clustered */;
create index silence_comparisons_by_pocket on silence_comparisons (pocket_id, slot);

-- The calm windows that were shown and began on a local day, and those of them that held, by kind: 'now', 'later' (from
-- sealed forecasts) and 'usual'. Counted up as their ends come.
create table window_outcomes (
  date text not null,
  pocket_id text not null,
  kind text not null,
  shown integer not null,
  held integer not null,
  primary key (date, pocket_id, kind)
) /* clustered */;

-- The legitimacy of each pocket, computed once each morning. reading_date is the local day, as YYYY-MM-DD.
create table legitimacy_index (
  reading_date text not null,
  pocket_id text not null,
  slot bigint not null,
  score double precision not null,
  band text not null,
  reason text not null,
  environmental_alignment double precision not null,
  fatigue double precision not null,
  saturation double precision not null,
  merchant_pressure double precision not null,
  expected_value double precision not null,
  primary key (reading_date, pocket_id)
) /* clustered */;
create index legitimacy_index_by_pocket on legitimacy_index (pocket_id, reading_date);

-- append-only: moments, silences, pauses, packages, verdicts
-- append-only: live_stories, equilibrium_readings, legitimacy_index, hour_changes, silence_comparisons
