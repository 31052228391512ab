-- The districts of a large city. Each has its own state, and its part of a slot is a transaction of its own
-- (src/domain/city/districts.ts). A city of one district has no rows in pocket_districts, and its district is ''.

-- The district of each pocket. It stays, as other pockets come and go.
create table pocket_districts (
  pocket_id text primary key,
  district text not null
);
create index pocket_districts_by_district on pocket_districts (district, pocket_id);

-- The pipeline's state is kept for each district; that of jobs about the whole city is that of the district ''.
create table state_of_districts (
  district text not null,
  key text not null,
  body text not null,
  primary key (district, key)
);
insert into state_of_districts
  select '', key, body from pipeline_state;
drop table pipeline_state;
alter table state_of_districts rename to pipeline_state;
/* postgres: alter index state_of_districts_pkey rename to pipeline_state_pkey; */

-- So is the forecaster's.
create table forecasters_of_districts (
  district text not null,
  slot bigint not null,
  part integer not null,
  body text not null,
  primary key (district, slot, part)
) /* clustered */;
insert into forecasters_of_districts
  select '', slot, part, body from forecaster_states;
drop table forecaster_states;
alter table forecasters_of_districts rename to forecaster_states;
/* postgres: alter index forecasters_of_districts_pkey rename to forecaster_states_pkey; */

-- Packs of one district and slot do not overlap; those of several do.
alter table readiness_packs add column district text not null default '';
alter table story_packs add column district text not null default '';

-- Which district ran a job for which slot. Inserted in the transaction that does the work, as a row of job_runs is for the
-- whole city once all of its districts have run. Rows are removed some days later.
create table district_runs (
  job text not null,
  slot bigint not null,
  district text not null,
  worker text not null,
  ran_at bigint not null,
  primary key (job, slot, district)
) /* clustered */;

-- What a district has handed over to be sealed, in the order of "number": rows and payloads as packed JSON. A row is
-- removed by the transaction that seals it.
create table handed_over (
  job text not null,
  slot bigint not null,
  district text not null,
  number integer not null,
  kind text not null,
  body bytea not null,
  primary key (job, slot, district, number)
);
-- They are packed already.
/* postgres: alter table handed_over alter column body set storage external; */
