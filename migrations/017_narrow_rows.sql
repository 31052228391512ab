-- Rows that hold figures. Figures of three decimals are stored as thousandths (src/store/engine/thousandths.ts), in columns
-- that end in _milli; an outlet has a small number. Readers ask views, which have the figures themselves and the ids.

-- The number of an outlet (src/store/rows/outlet-numbers.ts). It is given once and never taken back.
create table outlet_numbers (
  number integer primary key,
  outlet_id text not null unique
);
insert into outlet_numbers
  select row_number() over (order by outlet_id), outlet_id
  from (select outlet_id from outlet_activity union select outlet_id from merchant_readiness) counted;

-- How busy an outlet was, as a share of its usual capacity, 0 to 1. It is measured elsewhere: what has more decimals than
-- three is stored whole, in activity, and activity_milli is null.
create table narrow_activity (
  slot bigint not null,
  outlet integer not null,
  activity_milli smallint,
  activity double precision,
  primary key (slot, outlet)
) /* clustered */;
insert into narrow_activity
  select a.slot, n.number,
    case when a.activity = round(a.activity * 1000) / cast(1000 as double precision) and abs(a.activity) < 32
      then cast(round(a.activity * 1000) as integer) end,
    case when a.activity = round(a.activity * 1000) / cast(1000 as double precision) and abs(a.activity) < 32
      then null else a.activity end
  from outlet_activity a join outlet_numbers n on n.outlet_id = a.outlet_id;
drop table outlet_activity;
alter table narrow_activity rename to outlet_activity;
/* postgres: alter index narrow_activity_pkey rename to outlet_activity_pkey; */
-- With activity: the weeks of one outlet are read from the index alone.
create index outlet_activity_by_outlet on outlet_activity (outlet, slot, activity_milli, activity);

create view counted_outlets as
  select a.slot, a.outlet, n.outlet_id, coalesce(a.activity, a.activity_milli / cast(1000 as double precision)) as activity
  from outlet_activity a join outlet_numbers n on n.number = a.outlet;

-- What each active outlet was ready for, by pocket (src/store/merchant/readiness.ts), packed for a slot: it is read while
-- it is new (src/store/rows/slot-packs.ts). What an older store has is packed in batches.
alter table merchant_readiness rename to readiness_of_1_0;
/* sqlite: drop trigger merchant_readiness_no_update; drop trigger merchant_readiness_no_delete; */
/* postgres: drop trigger merchant_readiness_no_change on readiness_of_1_0; */
create table readiness_packs (
  slot bigint not null,
  first_pocket text /* postgres: collate "C" */ not null,
  last_pocket text /* postgres: collate "C" */ not null,
  pack bytea not null,
  primary key (slot, first_pocket)
);
-- They are packed already.
/* postgres: alter table readiness_packs alter column pack set storage external; */

-- The live stories of a slot, packed in the same way. An older store is indexed by slot, so that its batches follow it.
alter table live_stories rename to stories_of_1_0;
/* sqlite: drop trigger live_stories_no_update; drop trigger live_stories_no_delete; */
/* postgres: drop trigger live_stories_no_change on stories_of_1_0; */
create index stories_of_1_0_by_slot on stories_of_1_0 (slot);
create table story_packs (
  slot bigint not null,
  first_pocket text /* postgres: collate "C" */ not null,
  last_pocket text /* postgres: collate "C" */ not null,
  pack bytea not null,
  primary key (slot, first_pocket)
);
/* postgres: alter table story_packs alter column pack set storage external; */

-- A moment (src/store/decision/moments.ts). Numbers stand for states and bands; bits for the reasons for silence.
-- expires_at is null where it is half_life_minutes after the slot; window_ms is counted from the slot. other_reasons has
-- the reasons as JSON where they are not those of the bits. mqs, previous_mqs and resonance have four decimals.
create table moment_figures (
  slot bigint not null,
  expires_at bigint,
  usual_stress double precision,
  network_calm double precision,
  spare_capacity double precision,
  window_ms integer,
  state smallint not null,
  band smallint not null,
  reasons smallint not null,
  half_life_minutes smallint not null,
  calm_probability_milli smallint not null,
  calm_level_milli smallint not null,
  calm_change_milli smallint not null,
  signal_saturation_milli smallint not null,
  movement_friction_milli smallint,
  fragility_milli smallint not null,
  window_held_share_milli smallint,
  window_expected_calm_milli smallint not null,
  usefulness_milli smallint not null,
  urgency_milli smallint not null,
  calmness_milli smallint not null,
  merchant_fit_milli smallint,
  user_need_milli smallint not null,
  layer_time_milli smallint not null,
  layer_physical_milli smallint,
  layer_human_energy_milli smallint not null,
  layer_merchant_state_milli smallint,
  layer_attention_density_milli smallint not null,
  layer_intent_milli smallint not null,
  layer_temporal_milli smallint not null,
  usual_calm_milli smallint,
  fatigue_milli smallint not null,
  mqs_ten_thousandths smallint not null,
  previous_mqs_ten_thousandths smallint,
  resonance_ten_thousandths smallint not null,
  pocket_id text not null,
  other_reasons text,
  primary key (slot, pocket_id)
) /* clustered */;
insert into moment_figures
  select x.slot, case when x.expires_at = x.slot + 60000 * cast(x.half_life_minutes as bigint) then null else x.expires_at end,
    x.usual_stress, x.network_calm, x.spare_capacity, cast(x.window_ends_at - x.slot as integer),
    case x.primary_state when 'calm-productive' then 1 when 'calm-social' then 2 when 'calm-restful' then 3 when 'busy-productive' then 4
      when 'lively-social' then 5 when 'tense-crowded' then 6 when 'rain-subdued' then 7 when 'mixed-transitional' then 8 end,
    case x.band when 'silent' then 1 when 'weak' then 2 when 'forming' then 3 when 'high_resonance' then 4 when 'peak' then 5 when 'decaying' then 6 end,
    x.bits, x.half_life_minutes,
    cast(round(x.calm_probability * 1000) as smallint), cast(round(x.calm_level * 1000) as smallint),
    cast(round(x.calm_change * 1000) as smallint), cast(round(x.signal_saturation * 1000) as smallint),
    cast(round(x.movement_friction * 1000) as smallint), cast(round(x.fragility * 1000) as smallint),
    cast(round(x.window_held_share * 1000) as smallint), cast(round(x.window_expected_calm * 1000) as smallint),
    cast(round(x.usefulness * 1000) as smallint), cast(round(x.urgency * 1000) as smallint),
    cast(round(x.calmness * 1000) as smallint), cast(round(x.merchant_fit * 1000) as smallint),
    cast(round(x.user_need * 1000) as smallint), cast(round(x.layer_time * 1000) as smallint),
    cast(round(x.layer_physical * 1000) as smallint), cast(round(x.layer_human_energy * 1000) as smallint),
    cast(round(x.layer_merchant_state * 1000) as smallint),
    cast(round(x.layer_attention_density * 1000) as smallint), cast(round(x.layer_intent * 1000) as smallint),
    cast(round(x.layer_temporal * 1000) as smallint), cast(round(x.usual_calm * 1000) as smallint),
    cast(round(x.fatigue * 1000) as smallint), cast(round(x.mqs * 10000) as smallint),
    cast(round(x.previous_mqs * 10000) as smallint), cast(round(x.resonance * 10000) as smallint),
    x.pocket_id, case when x.silence_reasons <> '[' || substr(
      case when x.bits & 1 > 0 then ',"it is an hour for sleep"' else '' end ||
      case when x.bits & 2 > 0 then ',"the usual of this hour is not known yet"' else '' end ||
      case when x.bits & 4 > 0 then ',"the pocket is tense"' else '' end ||
      case when x.bits & 8 > 0 then ',"the moment is fragile"' else '' end ||
      case when x.bits & 16 > 0 then ',"enough was said here recently"' else '' end, 2) || ']' then x.silence_reasons end
  from (
    select m.*, case when m.silence_reasons like '%"it is an hour for sleep"%' then 1 else 0 end +
      case when m.silence_reasons like '%"the usual of this hour is not known yet"%' then 2 else 0 end +
      case when m.silence_reasons like '%"the pocket is tense"%' then 4 else 0 end +
      case when m.silence_reasons like '%"the moment is fragile"%' then 8 else 0 end +
      case when m.silence_reasons like '%"enough was said here recently"%' then 16 else 0 end as bits
    from moments m
  ) x;
drop table moments;
create index moment_figures_by_pocket on moment_figures (pocket_id, slot);
create view moments as
  select
    m.slot, m.pocket_id,
    case m.state when 1 then 'calm-productive' when 2 then 'calm-social' when 3 then 'calm-restful' when 4 then 'busy-productive'
      when 5 then 'lively-social' when 6 then 'tense-crowded' when 7 then 'rain-subdued' when 8 then 'mixed-transitional' end as primary_state,
    m.calm_probability_milli / cast(1000 as double precision) as calm_probability,
    m.calm_level_milli / cast(1000 as double precision) as calm_level,
    m.calm_change_milli / cast(1000 as double precision) as calm_change,
    m.signal_saturation_milli / cast(1000 as double precision) as signal_saturation,
    m.movement_friction_milli / cast(1000 as double precision) as movement_friction,
    m.fragility_milli / cast(1000 as double precision) as fragility, m.half_life_minutes,
    coalesce(m.expires_at, m.slot + 60000 * cast(m.half_life_minutes as bigint)) as expires_at,
    m.slot + m.window_ms as window_ends_at,
    m.window_held_share_milli / cast(1000 as double precision) as window_held_share,
    m.window_expected_calm_milli / cast(1000 as double precision) as window_expected_calm,
    coalesce(m.other_reasons, '[' || substr(
      case when m.reasons & 1 > 0 then ',"it is an hour for sleep"' else '' end ||
      case when m.reasons & 2 > 0 then ',"the usual of this hour is not known yet"' else '' end ||
      case when m.reasons & 4 > 0 then ',"the pocket is tense"' else '' end ||
      case when m.reasons & 8 > 0 then ',"the moment is fragile"' else '' end ||
      case when m.reasons & 16 > 0 then ',"enough was said here recently"' else '' end, 2) || ']') as silence_reasons,
    m.mqs_ten_thousandths / cast(10000 as double precision) as mqs,
    case m.band when 1 then 'silent' when 2 then 'weak' when 3 then 'forming' when 4 then 'high_resonance' when 5 then 'peak' when 6 then 'decaying' end as band,
    m.usefulness_milli / cast(1000 as double precision) as usefulness,
    m.urgency_milli / cast(1000 as double precision) as urgency,
    m.calmness_milli / cast(1000 as double precision) as calmness,
    m.merchant_fit_milli / cast(1000 as double precision) as merchant_fit,
    m.user_need_milli / cast(1000 as double precision) as user_need,
    m.previous_mqs_ten_thousandths / cast(10000 as double precision) as previous_mqs,
    m.resonance_ten_thousandths / cast(10000 as double precision) as resonance,
    m.layer_time_milli / cast(1000 as double precision) as layer_time,
    m.layer_physical_milli / cast(1000 as double precision) as layer_physical,
    m.layer_human_energy_milli / cast(1000 as double precision) as layer_human_energy,
    m.layer_merchant_state_milli / cast(1000 as double precision) as layer_merchant_state,
    m.layer_attention_density_milli / cast(1000 as double precision) as layer_attention_density,
    m.layer_intent_milli / cast(1000 as double precision) as layer_intent,
    m.layer_temporal_milli / cast(1000 as double precision) as layer_temporal, m.usual_stress,
    m.usual_calm_milli / cast(1000 as double precision) as usual_calm, m.network_calm, m.spare_capacity,
    m.fatigue_milli / cast(1000 as double precision) as fatigue
  from moment_figures m;

-- The atmosphere computed from a snapshot (src/store/observation/readings.ts).
create table reading_figures (
  slot bigint not null,
  stress_milli smallint not null,
  calm_milli smallint not null,
  social_energy_milli smallint not null,
  productive_milli smallint not null,
  completeness_milli smallint not null,
  state smallint not null,
  anomaly_flag smallint not null,
  pocket_id text not null,
  primary key (slot, pocket_id)
) /* clustered */;
insert into reading_figures
  select x.slot,
    cast(round(x.stress * 1000) as smallint), cast(round(x.calm * 1000) as smallint),
    cast(round(x.social_energy * 1000) as smallint), cast(round(x.productive * 1000) as smallint),
    cast(round(x.completeness * 1000) as smallint),
    case x.primary_state when 'calm-productive' then 1 when 'calm-social' then 2 when 'calm-restful' then 3 when 'busy-productive' then 4
      when 'lively-social' then 5 when 'tense-crowded' then 6 when 'rain-subdued' then 7 when 'mixed-transitional' then 8 end,
    x.anomaly_flag, x.pocket_id
  from atmosphere_readings x;
drop table atmosphere_readings;
create index reading_figures_by_pocket on reading_figures (pocket_id, slot);
create view atmosphere_readings as
  select
    r.slot, r.pocket_id, r.stress_milli / cast(1000 as double precision) as stress,
    r.calm_milli / cast(1000 as double precision) as calm,
    r.social_energy_milli / cast(1000 as double precision) as social_energy,
    r.productive_milli / cast(1000 as double precision) as productive,
    case r.state when 1 then 'calm-productive' when 2 then 'calm-social' when 3 then 'calm-restful' when 4 then 'busy-productive'
      when 5 then 'lively-social' when 6 then 'tense-crowded' when 7 then 'rain-subdued' when 8 then 'mixed-transitional' end as primary_state,
    r.anomaly_flag, r.completeness_milli / cast(1000 as double precision) as completeness
  from reading_figures r;

-- The equilibrium of a pocket (src/store/decision/equilibrium.ts).
create table equilibrium_figures (
  slot bigint not null,
  atmosphere_calm_milli smallint,
  restraint_quality_milli smallint,
  citizen_alignment_milli smallint,
  prediction_trust_milli smallint,
  emission_quality_milli smallint,
  waste_avoidance_milli smallint,
  composite_milli smallint,
  direction smallint not null,
  pocket_id text not null,
  primary key (slot, pocket_id)
) /* clustered */;
insert into equilibrium_figures
  select x.slot,
    cast(round(x.atmosphere_calm * 1000) as smallint), cast(round(x.restraint_quality * 1000) as smallint),
    cast(round(x.citizen_alignment * 1000) as smallint), cast(round(x.prediction_trust * 1000) as smallint),
    cast(round(x.emission_quality * 1000) as smallint), cast(round(x.waste_avoidance * 1000) as smallint),
    cast(round(x.composite * 1000) as smallint),
    case x.direction when 'forming' then 1 when 'improving' then 2 when 'stable' then 3 when 'degrading' then 4 when 'unknown' then 5 end, x.pocket_id
  from equilibrium_readings x;
drop table equilibrium_readings;
create index equilibrium_figures_by_pocket on equilibrium_figures (pocket_id, slot);
create view equilibrium_readings as
  select
    e.slot, e.pocket_id, e.atmosphere_calm_milli / cast(1000 as double precision) as atmosphere_calm,
    e.restraint_quality_milli / cast(1000 as double precision) as restraint_quality,
    e.citizen_alignment_milli / cast(1000 as double precision) as citizen_alignment,
    e.prediction_trust_milli / cast(1000 as double precision) as prediction_trust,
    e.emission_quality_milli / cast(1000 as double precision) as emission_quality,
    e.waste_avoidance_milli / cast(1000 as double precision) as waste_avoidance,
    e.composite_milli / cast(1000 as double precision) as composite,
    case e.direction when 1 then 'forming' when 2 then 'improving' when 3 then 'stable' when 4 then 'degrading' when 5 then 'unknown' end as direction
  from equilibrium_figures e;

-- The measurements of a pocket at a quarter hour, in the units of src/domain/signals/signal.ts. They are measured elsewhere:
-- what has more decimals than three is stored whole, in the column without _milli. A measurement that was absent or stale
-- is null in both. crowd_gap says why the crowd is null (src/domain/signals/pocket-crowd.ts). completeness is how much of
-- what a reading rests on was present, 0 to 1. substrate: 1 simulated, 2 live, 3 replay.
create table narrow_snapshots (
  slot bigint not null,
  pm25 double precision,
  footfall double precision,
  crowd double precision,
  temperature_c double precision,
  humidity_pct double precision,
  traffic_speed_kmh double precision,
  rain_mm double precision,
  transit_crowding double precision,
  carpark_occupancy double precision,
  temperature_c_milli integer,
  humidity_pct_milli integer,
  traffic_speed_kmh_milli integer,
  rain_mm_milli smallint,
  transit_crowding_milli smallint,
  carpark_occupancy_milli smallint,
  completeness_milli smallint not null,
  substrate smallint not null,
  pocket_id text not null,
  crowd_gap text,
  provenance text not null,
  primary key (slot, pocket_id)
) /* clustered */;
insert into narrow_snapshots
  select x.slot, x.pm25, x.footfall, x.crowd,
    case when x.temperature_c = round(x.temperature_c * 1000) / cast(1000 as double precision) and abs(x.temperature_c) < 2000000
      then null else x.temperature_c end,
    case when x.humidity_pct = round(x.humidity_pct * 1000) / cast(1000 as double precision) and abs(x.humidity_pct) < 2000000
      then null else x.humidity_pct end,
    case when x.traffic_speed_kmh = round(x.traffic_speed_kmh * 1000) / cast(1000 as double precision) and abs(x.traffic_speed_kmh) < 2000000
      then null else x.traffic_speed_kmh end,
    case when x.rain_mm = round(x.rain_mm * 1000) / cast(1000 as double precision) and abs(x.rain_mm) < 32
      then null else x.rain_mm end,
    case when x.transit_crowding = round(x.transit_crowding * 1000) / cast(1000 as double precision) and abs(x.transit_crowding) < 32
      then null else x.transit_crowding end,
    case when x.carpark_occupancy = round(x.carpark_occupancy * 1000) / cast(1000 as double precision) and abs(x.carpark_occupancy) < 32
      then null else x.carpark_occupancy end,
    case when x.temperature_c = round(x.temperature_c * 1000) / cast(1000 as double precision) and abs(x.temperature_c) < 2000000
      then cast(round(x.temperature_c * 1000) as integer) end,
    case when x.humidity_pct = round(x.humidity_pct * 1000) / cast(1000 as double precision) and abs(x.humidity_pct) < 2000000
      then cast(round(x.humidity_pct * 1000) as integer) end,
    case when x.traffic_speed_kmh = round(x.traffic_speed_kmh * 1000) / cast(1000 as double precision) and abs(x.traffic_speed_kmh) < 2000000
      then cast(round(x.traffic_speed_kmh * 1000) as integer) end,
    case when x.rain_mm = round(x.rain_mm * 1000) / cast(1000 as double precision) and abs(x.rain_mm) < 32
      then cast(round(x.rain_mm * 1000) as integer) end,
    case when x.transit_crowding = round(x.transit_crowding * 1000) / cast(1000 as double precision) and abs(x.transit_crowding) < 32
      then cast(round(x.transit_crowding * 1000) as integer) end,
    case when x.carpark_occupancy = round(x.carpark_occupancy * 1000) / cast(1000 as double precision) and abs(x.carpark_occupancy) < 32
      then cast(round(x.carpark_occupancy * 1000) as integer) end,
    cast(round(x.completeness * 1000) as smallint),
    case x.substrate when 'simulated' then 1 when 'live' then 2 when 'replay' then 3 end,
    x.pocket_id, x.crowd_gap, x.provenance
  from env_snapshots x;
drop table env_snapshots;
alter table narrow_snapshots rename to env_snapshots;
/* postgres: alter index narrow_snapshots_pkey rename to env_snapshots_pkey; */
create index env_snapshots_by_pocket on env_snapshots (pocket_id, slot);
create view snapshots as
  select e.slot, e.pocket_id,
    coalesce(e.rain_mm, e.rain_mm_milli / cast(1000 as double precision)) as rain_mm,
    coalesce(e.temperature_c, e.temperature_c_milli / cast(1000 as double precision)) as temperature_c,
    coalesce(e.humidity_pct, e.humidity_pct_milli / cast(1000 as double precision)) as humidity_pct,
    e.pm25,
    e.footfall,
    coalesce(e.transit_crowding, e.transit_crowding_milli / cast(1000 as double precision)) as transit_crowding,
    coalesce(e.traffic_speed_kmh, e.traffic_speed_kmh_milli / cast(1000 as double precision)) as traffic_speed_kmh,
    coalesce(e.carpark_occupancy, e.carpark_occupancy_milli / cast(1000 as double precision)) as carpark_occupancy,
    e.crowd, e.crowd_gap, e.completeness_milli / cast(1000 as double precision) as completeness,
    case e.substrate when 1 then 'simulated' when 2 then 'live' when 3 then 'replay' end as substrate, e.provenance
  from env_snapshots e;

-- append-only: outlet_numbers, readiness_packs, story_packs, moment_figures, reading_figures, equilibrium_figures
-- removable from env_snapshots: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- removable from outlet_activity: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- removable from readiness_of_1_0: exists (select 1 from readiness_packs p where p.slot = old.slot)
-- removable from stories_of_1_0: exists (select 1 from story_packs p where p.slot = old.slot)
-- readable from: 17
