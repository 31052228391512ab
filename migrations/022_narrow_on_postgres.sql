-- Fewer bytes on PostgreSQL for the same rows. The tables of the embedded store stay as they are: it stores small whole
-- numbers in a byte or two whatever their column, and a clustered table has no index for its key.
--
-- Sums of rollups are numeric, which takes three bytes for a zero and five for millions, and has no largest number;
-- a bigint takes eight. Of dozens in a row most are small. period_end stays what it is compared with.
/* postgres:
do $$
declare
  change record;
begin
  for change in
    select c.relname as name, string_agg(format('alter column %I type numeric', a.attname), ', ') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname in
      ('rollup_pockets', 'rollup_reasons', 'rollup_tiers', 'rollup_outcomes', 'rollup_forecasts', 'rollup_calm')
      and a.atttypid = 'bigint'::regtype and a.attnum > 0 and not a.attisdropped and a.attname <> 'period_end'
    group by c.relname
  loop
    execute format('alter table %I %s', change.name, change.columns);
  end loop;
end $$; */

-- Their keys repeat four texts. A half hour that is written twice conflicts in rollup_pockets, which has every half hour
-- and is written in the same transaction; equal entries of an index share one.
/* postgres:
alter table rollup_forecasts drop constraint rollup_forecasts_pkey;
create index rollup_forecasts_by_pocket on rollup_forecasts (period_end, pocket_id);
alter table rollup_calm drop constraint rollup_calm_pkey;
create index rollup_calm_by_end on rollup_calm (period_end); */

-- Reveals are asked for by their own leaf in ranges alone, and a bundle has 256 of them (src/store/rows/reveal-leaves.ts):
-- PostgreSQL writes an entry of an index once for rows that have the same.
drop index reveal_figures_by_leaf;
create index reveal_figures_by_bundle on reveal_figures ((leaf / 256));

-- The reveals of a slot come in several passes, one a horizon: the first leaves room on each page for those that follow,
-- which would split it otherwise.
/* postgres: alter index reveal_figures_pkey set (fillfactor = 65); */

-- Without activity, which made an entry twice as long. The weeks of one outlet are read from the table.
/* postgres:
drop index outlet_activity_by_outlet;
create index outlet_activity_by_outlet on outlet_activity (outlet, slot); */

-- Entries are added at the end alone, so that a page needs no room for others.
/* postgres:
alter index prediction_figures_pkey set (fillfactor = 100);
alter index prediction_figures_by_slot set (fillfactor = 100); */
