-- Runs on SQLite and PostgreSQL alike. Times are epoch milliseconds, flags 0 or 1, JSON is text.
-- A table marked "clustered" is kept in the order of its key where the engine can do that.
-- A line "append-only: a, b" makes the named tables refuse UPDATE and DELETE.

create table store_revision (id integer primary key check (id = 1), revision bigint not null);
insert into store_revision (id, revision) values (1, 0);

-- Which job ran for which slot: the key makes each slot run once, whichever worker claims it.
create table job_runs (
  job text not null,
  slot bigint not null,
  worker text not null,
  ran_at bigint not null,
  primary key (job, slot)
) /* clustered */;

-- What was known of a pocket at a quarter hour. A measurement that was absent or stale is null.
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
  completeness double precision not null,
  substrate text not null,
  provenance text not null,
  primary key (slot, pocket_id)
) /* clustered */;
create index env_snapshots_by_pocket on env_snapshots (pocket_id, slot);

create table outlet_activity (
  slot bigint not null,
  outlet_id text not null,
  activity double precision not null,
  primary key (slot, outlet_id)
) /* clustered */;
create index outlet_activity_by_outlet on outlet_activity (outlet_id, slot);

-- How many people chose a word about a pocket. Nothing about any of them.
create table citizen_senses (
  slot bigint not null,
  pocket_id text not null,
  word text not null,
  people integer not null,
  source text not null
);
create index citizen_senses_by_pocket on citizen_senses (pocket_id, slot);

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

-- A pocket's own norm for each hour of its week, learned as it goes. Not a ledger.
create table norms (
  pocket_id text not null,
  hour_of_week integer not null,
  footfall_samples integer not null,
  footfall_mean double precision not null,
  footfall_variance double precision not null,
  stress_samples integer not null,
  stress_mean double precision not null,
  stress_variance double precision not null,
  primary key (hour_of_week, pocket_id)
) /* clustered */;

-- append-only: job_runs, env_snapshots, outlet_activity, citizen_senses, atmosphere_readings
