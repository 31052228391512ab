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
  select a.slot, n.outlet_id, coalesce(a.activity, a.activity_milli / cast(1000 as double precision)) as activity
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

-- append-only: outlet_numbers, readiness_packs
-- removable from outlet_activity: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- removable from readiness_of_1_0: exists (select 1 from readiness_packs p where p.slot = old.slot)
-- readable from: 15
