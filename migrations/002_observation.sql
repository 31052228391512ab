-- What was observed of each pocket and outlet, and the readings computed from it.

-- The measurements of a pocket at a quarter hour, in the units of src/domain/atmosphere/signal.ts. A measurement that was
-- absent or stale is null. crowd_gap says why the crowd is null (src/domain/atmosphere/pocket-crowd.ts). completeness is
-- how much of what a reading rests on was present, 0 to 1.
create table env_snapshots (
  slot bigint not null,
  pocket_id text not null,
  rain_mm double precision,
  temperature_c double precision,
  humidity_pct double precision,
  pm25 double precision,
  footfall double precision,
  transit_crowding double precision,
  traffic_speed_kmh double precision,
  carpark_occupancy double precision,
  crowd double precision,
  crowd_gap text,
  completeness double precision not null,
  substrate text not null,
  provenance text not null,
  primary key (slot, pocket_id)
) /* clustered */;
create index env_snapshots_by_pocket on env_snapshots (pocket_id, slot);

-- How busy an outlet was, as a share of its usual capacity, 0 to 1.
create table outlet_activity (
  slot bigint not null,
  outlet_id text not null,
  activity double precision not null,
  primary key (slot, outlet_id)
) /* clustered */;
-- With activity: the weeks of one outlet are read from the index alone.
create index outlet_activity_by_outlet on outlet_activity (outlet_id, slot, activity);

-- How many people chose a word about a pocket. Nothing is stored about any of them. slot: the quarter hour that they are
-- counted in. Rows of an operator also have said_slot, the quarter hour in which the people spoke; those recorded late
-- are counted in it, but only from the slot countable_from on, which was still to come when they were recorded.
create table citizen_senses (
  slot bigint not null,
  pocket_id text not null,
  word text not null,
  people integer not null,
  source text not null,
  said_slot bigint,
  countable_from bigint
);
create index citizen_senses_by_pocket on citizen_senses (pocket_id, slot);
create index citizen_senses_by_slot on citizen_senses (slot);

-- The atmosphere computed from a snapshot; the four scores are 0 to 1.
create table atmosphere_readings (
  slot bigint not null,
  pocket_id text not null,
  stress double precision not null,
  calm double precision not null,
  social_energy double precision not null,
  productive double precision not null,
  primary_state text not null,
  anomaly_flag integer not null,
  completeness double precision not null,
  primary key (slot, pocket_id)
) /* clustered */;
create index atmosphere_readings_by_pocket on atmosphere_readings (pocket_id, slot);

-- The running mean and variance of a pocket for each hour of its week, and the share of readings in a calm state, updated
-- with every reading.
create table norms (
  pocket_id text not null,
  hour_of_week integer not null,
  crowd_samples integer not null,
  crowd_mean double precision not null,
  crowd_variance double precision not null,
  stress_samples integer not null,
  stress_mean double precision not null,
  stress_variance double precision not null,
  calm_samples integer not null,
  calm_mean double precision not null,
  calm_variance double precision not null,
  calm_share double precision not null,
  primary key (hour_of_week, pocket_id)
) /* clustered */;

-- Sensors that are left out of the crowd because they are usually fullest at night (src/domain/scales/crowd.ts), and since
-- which slot. A row goes when that is no longer so.
create table excluded_sensors (
  sensor text primary key,
  since_slot bigint not null
);

-- append-only: env_snapshots, outlet_activity, citizen_senses, atmosphere_readings
