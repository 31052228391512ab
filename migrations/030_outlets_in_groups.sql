-- Outlets that are measured together are one row: up to five of one group, which have the same number when it is divided by
-- five. shares are the thousandths of each, one more than measured, ten bits each; the first outlet is in the lowest bits,
-- and an outlet without a measurement is 0. What has more decimals, or is above 1.022, is a row of its own, in activity.
-- Readers ask the view, in which a measurement is a row as before (src/store/rows/outlet-groups.ts).
drop view counted_outlets;

/* sqlite:
create table grouped_activity (
  slot bigint not null,
  first_outlet integer not null,
  shares bigint not null,
  activity double precision,
  primary key (slot, first_outlet)
) without rowid;
insert into grouped_activity
  select slot, first_outlet, sum((activity_milli + 1) << (10 * (outlet - first_outlet))), null
  from (select slot, outlet, activity_milli, min(outlet) over (partition by slot, outlet / 5) as first_outlet
    from outlet_activity where activity_milli between 0 and 1022) packed
  group by slot, first_outlet;
insert into grouped_activity
  select slot, outlet, 0, coalesce(activity, activity_milli / cast(1000 as double precision))
  from outlet_activity where activity is not null or activity_milli not between 0 and 1022;
drop table outlet_activity;
alter table grouped_activity rename to outlet_activity;
-- With activity: the weeks of one outlet are read from the index alone.
create index outlet_activity_by_group on outlet_activity ((first_outlet / 5), slot, first_outlet, shares, activity); */

-- In place, since the table is kept by month: what was measured before has a row for each outlet.
/* postgres:
drop index outlet_activity_by_outlet;
alter table outlet_activity
  alter column activity type double precision using
    coalesce(activity, case when activity_milli not between 0 and 1022 then activity_milli / 1000::double precision end),
  alter column activity_milli type bigint using
    case when activity_milli between 0 and 1022 then activity_milli + 1 else 0 end,
  alter column activity_milli set not null;
alter table outlet_activity rename column outlet to first_outlet;
alter table outlet_activity rename column activity_milli to shares;
create index outlet_activity_by_group on outlet_activity ((first_outlet / 5), (slot / 86400000)); */

-- A row comes before its outlets: SQLite would otherwise begin with all outlets that there are.
create view counted_outlets as
  select a.slot, a.first_outlet, a.first_outlet / 5 as outlet_group, n.number as outlet, n.outlet_id,
    coalesce(a.activity, cast(((a.shares >> (10 * places.place)) & 1023) - 1 as double precision) / 1000) as activity
  from outlet_activity a
  cross join (select 0 as place union all select 1 union all select 2 union all select 3 union all select 4) places
  cross join outlet_numbers n
  where n.number = a.first_outlet + places.place and (places.place = 0 or (a.shares >> (10 * places.place)) & 1023 > 0);

-- removable from outlet_activity: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- readable from: 30
