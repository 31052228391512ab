-- Forecasts that a pocket seals together are one row: their leaves follow one another, and slot, pocket and completeness are
-- the same. Which generators they are of is a list, whose members are the rows of a small table; their confidences are
-- thousandths of ten bits each in one number, the first in the lowest bits. Readers ask the views, in which a forecast is a
-- row as before.

-- A list of what was forecast together, in the order of the leaves, at most five. horizon is in milliseconds. Rows are
-- written with the first forecasts that need them, while the log is locked.
create table forecast_lists (
  list smallint not null,
  place smallint not null,
  generator text not null,
  prediction_type text not null,
  horizon integer not null,
  shadow integer not null,
  primary key (list, place)
) /* clustered */;

-- Else so few rows would never have statistics.
/* postgres: alter table forecast_lists set (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0); */

-- leaf: of the first. All leaves of a row are in one bundle of the log, so that they leave the store together.
create table forecast_sets (
  leaf integer primary key,
  slot bigint not null,
  confidences bigint not null,
  pocket integer not null,
  list smallint not null,
  completeness_milli smallint not null
);
/* postgres:
alter table forecast_sets alter column leaf type bigint;
alter index forecast_sets_pkey set (fillfactor = 100); */

-- members: the numbers of generators, twelve bits each. What follows one another has the same difference of leaf and row
-- number (run); those of two bundles differ.
create table grouped_forecasts (
  leaf bigint not null,
  slot bigint not null,
  confidences bigint not null,
  members bigint not null,
  pocket integer not null,
  completeness_milli smallint not null
);
insert into grouped_forecasts
  select min(leaf), slot, cast(sum(cast(confidence_milli as bigint) << (10 * place)) as bigint),
    cast(sum(cast(generator as bigint) << (12 * place)) as bigint), pocket, completeness_milli
  from (select leaf, slot, pocket, generator, confidence_milli, completeness_milli, run, nth / 5 as part,
      cast(nth % 5 as integer) as place
    from (select leaf, slot, pocket, generator, confidence_milli, completeness_milli, run,
        row_number() over (partition by run, slot, pocket, completeness_milli order by leaf) - 1 as nth
      from (select leaf, slot, pocket, generator, confidence_milli, completeness_milli,
          leaf - row_number() over (partition by leaf / 256, slot, pocket, completeness_milli order by leaf) as run
        from prediction_figures) consecutive) numbered) placed
  group by run, slot, pocket, completeness_milli, part;

create table numbered_members (list integer not null, members bigint primary key);
insert into numbered_members
  select row_number() over (order by min(leaf)), members from grouped_forecasts group by members;
insert into forecast_lists
  select n.list, p.place, g.name, g.prediction_type, g.horizon, g.shadow
  from numbered_members n
  cross join (select 0 as place union all select 1 union all select 2 union all select 3 union all select 4) p
  join forecast_generators g on g.number = (n.members >> (12 * p.place)) & 4095;
insert into forecast_sets
  select f.leaf, f.slot, f.confidences, f.pocket, n.list, f.completeness_milli
  from grouped_forecasts f join numbered_members n on n.members = f.members
  order by f.leaf;
drop table numbered_members;
drop table grouped_forecasts;

drop view revealed_forecasts;
drop view predictions;
drop table prediction_figures;
/* postgres: drop function refuse_prediction_figures_removal(); */
drop table forecast_generators;
create index forecast_sets_by_pocket on forecast_sets (pocket, slot);
create index forecast_sets_by_slot on forecast_sets (slot);
/* postgres: alter index forecast_sets_by_slot set (fillfactor = 100); */

-- first_leaf and place are for whoever asks by leaf (src/store/rows/forecast-leaves.ts). The row comes before its list: by
-- the name of a generator SQLite would begin with the lists, and read the rows once for each.
create view predictions as
  select s.leaf + m.place as leaf, s.leaf as first_leaf, m.place, s.slot, s.pocket, k.pocket_id, m.generator,
    m.prediction_type, s.slot + m.horizon as reveal_at,
    cast((s.confidences >> (10 * m.place)) & 1023 as double precision) / 1000 as confidence,
    cast(s.completeness_milli as double precision) / 1000 as completeness, m.shadow
  from forecast_sets s
  cross join forecast_lists m
  left join forecast_pockets k on k.number = s.pocket
  where m.list = s.list;

create view revealed_forecasts as
  select p.slot, p.pocket, p.pocket_id, p.generator, p.prediction_type, p.reveal_at, p.confidence, p.completeness,
    p.shadow, p.leaf as prediction_leaf, p.first_leaf, p.place, r.leaf, r.waking, r.expected_calm, r.calm_probability,
    r.was_calm, r.accuracy_score, r.baseline_score, r.persistence_score, r.last_week_score, r.error_type
  from predictions p join reveals r on r.prediction_leaf = p.leaf;

-- append-only: forecast_lists
-- removable from forecast_sets: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- readable from: 26
