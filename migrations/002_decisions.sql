-- The read of each pocket at each slot: its moment, the quality of that moment, its resonance, and what it was held
-- against, so that the same question asked again is answered from the same figures.
create table moments (
  slot bigint not null,
  pocket_id text not null,
  primary_state text not null,
  calm_probability double precision not null,
  signal_saturation double precision not null,
  movement_friction double precision not null,
  fragility double precision not null,
  half_life_minutes integer not null,
  expires_at bigint not null,
  silence_reasons text not null,
  mqs double precision not null,
  band text not null,
  usefulness double precision not null,
  urgency double precision not null,
  calmness double precision not null,
  merchant_fit double precision not null,
  user_need double precision not null,
  previous_mqs double precision,
  resonance double precision not null,
  layer_time double precision not null,
  layer_physical double precision not null,
  layer_human_energy double precision not null,
  layer_merchant_state double precision not null,
  layer_attention_density double precision not null,
  layer_intent double precision not null,
  layer_temporal double precision not null,
  usual_stress double precision,
  network_calm double precision,
  room double precision,
  primary key (slot, pocket_id)
) /* clustered */;
create index moments_by_pocket on moments (pocket_id, slot);

-- A decision not to speak, sealed in the ledger under its id; the payload there is what counts.
create table silences (
  leaf integer primary key,
  id text not null,
  slot bigint not null,
  pocket_id text not null,
  gate text not null,
  candidate_confidence double precision not null,
  legitimacy_score double precision not null,
  band text not null,
  window_end bigint not null
);
create index silences_by_slot on silences (slot);
create index silences_by_pocket on silences (pocket_id, slot);

-- What was said. A later one of the same pocket supersedes it while it is live.
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
  expires_at bigint not null
);
create index packages_by_slot on packages (slot);
create index packages_by_pocket on packages (pocket_id, slot);

create table package_supersessions (
  package_id text primary key,
  superseded_by text not null,
  slot bigint not null
);

-- What became of a silence when its window had passed. Null: nothing was observed to judge by.
create table vindications (
  silence_id text primary key,
  slot bigint not null,
  pocket_id text not null,
  gate text not null,
  revealed_at bigint not null,
  vindicated integer,
  attention_minutes_preserved double precision not null,
  reason text not null
);
create index vindications_by_slot on vindications (slot);
create index vindications_by_pocket on vindications (pocket_id, slot);

-- What the pipeline carries from one slot to the next. Not a ledger: it can be rebuilt.
create table working_memory (
  key text primary key,
  body text not null
);

-- append-only: moments, silences, packages, package_supersessions, vindications
