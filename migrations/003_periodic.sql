-- What is composed on the half hour and once each morning.

-- The four clauses told of a pocket's moment; it expires with that moment.
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

-- Null: nothing to average. The composite is the mean of the dimensions that are not null.
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

-- reading_date is the day in Singapore, as YYYY-MM-DD.
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

create index citizen_senses_by_slot on citizen_senses (slot);

-- append-only: live_stories, equilibrium_readings, legitimacy_index
