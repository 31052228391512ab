-- Readings and snapshots of a pocket by day, as other rows are: see 024_rows_by_day.sql. Their first and newest ones are
-- looked up however old they are, by the column day of the views, which is the day of the slot on PostgreSQL and in the
-- embedded store the slot itself, which its index has.
/* postgres:
drop index reading_figures_by_pocket;
create index reading_figures_by_pocket on reading_figures (pocket_id, (slot / 86400000));
drop index env_snapshots_by_pocket;
create index env_snapshots_by_pocket on env_snapshots (pocket_id, (slot / 86400000)); */

drop view atmosphere_readings;
create view atmosphere_readings as
  select
    r.slot, r.pocket_id, r.stress_milli / cast(1000 as double precision) as stress,
    r.calm_milli / cast(1000 as double precision) as calm,
    r.social_energy_milli / cast(1000 as double precision) as social_energy,
    r.productive_milli / cast(1000 as double precision) as productive,
    case r.state when 1 then 'calm-productive' when 2 then 'calm-social' when 3 then 'calm-restful' when 4 then 'busy-productive'
      when 5 then 'lively-social' when 6 then 'tense-crowded' when 7 then 'rain-subdued' when 8 then 'mixed-transitional' end as primary_state,
    r.anomaly_flag, r.completeness_milli / cast(1000 as double precision) as completeness,
    /* sqlite: r.slot */ /* postgres: r.slot / 86400000 */ as day
  from reading_figures r;

drop view snapshots;
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
    case e.substrate when 1 then 'simulated' when 2 then 'live' when 3 then 'replay' end as substrate, e.provenance,
    /* sqlite: e.slot */ /* postgres: e.slot / 86400000 */ as day
  from env_snapshots e;

-- readable from: 28
