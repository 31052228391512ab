-- Runs of jobs with numbers in place of names, and more rows of a pocket by day. Readers ask views that have the names and
-- columns that the tables had.

-- The number of a job or a worker, given when it first runs or claims something.
create table run_names (
  number integer primary key,
  name text not null unique
);
insert into run_names
  select row_number() over (order by min(slot), name), name
  from (select job as name, slot from job_runs union all select worker as name, slot from job_runs) named
  group by name;
-- Else so few rows would never have statistics.
/* postgres: alter table run_names set (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0); */

-- Which job ran for which slot, and on which worker. The row is inserted in the transaction that does the work, so the key
-- makes each job run once for a slot, and a worker that dies leaves no claim behind. ran_at is null where it is the slot
-- itself, as in a history that was written afterwards.
create table job_claims (
  slot bigint not null,
  ran_at bigint,
  job integer not null,
  worker integer not null,
  primary key (job, slot)
) /* clustered */;
insert into job_claims
  select r.slot, nullif(r.ran_at, r.slot), j.number, w.number
  from job_runs r join run_names j on j.name = r.job join run_names w on w.name = r.worker
  order by r.slot, j.number;
drop table job_runs;

create view job_runs as
  select j.name as job, c.slot, w.name as worker, coalesce(c.ran_at, c.slot) as ran_at
  from job_claims c join run_names j on j.number = c.job join run_names w on w.number = c.worker;

-- append-only: run_names, job_claims
-- readable from: 30
