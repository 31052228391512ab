-- Figures of a reveal in two numbers, of ten bits each: a column of its own costs PostgreSQL two bytes for each and its
-- padding, and one that may be null eight more (src/store/rows/packed-scores.ts). Readers ask the views, which have the
-- columns that they had. The leaf of a reveal is so many leaves after that of its forecast.
create table packed_reveals (
  prediction_leaf integer primary key,
  scores bigint not null,
  leaves_later integer not null,
  calms integer not null
);
/* postgres: alter table packed_reveals alter column prediction_leaf type bigint; */
insert into packed_reveals
  select prediction_leaf,
    coalesce(accuracy_score_milli, 1023) + (cast(coalesce(baseline_score_milli, 1023) as bigint) << 10)
      + (cast(coalesce(persistence_score_milli, 1023) as bigint) << 20)
      + (cast(coalesce(last_week_score_milli, 1023) as bigint) << 30)
      + (cast(coalesce(error_type, 0) as bigint) << 40) + (cast(coalesce(was_calm, 2) as bigint) << 44)
      + (cast(waking as bigint) << 46),
    cast(leaf - prediction_leaf as integer),
    cast(coalesce(expected_calm_milli, 1023) as integer) + 1024 * coalesce(calm_probability_milli, 1023)
  from reveal_figures order by /* sqlite: prediction_leaf */ /* postgres: leaf */;

drop view revealed_forecasts;
drop view reveals;
drop table reveal_figures;
alter table packed_reveals rename to reveal_figures;
/* postgres:
alter index packed_reveals_pkey rename to reveal_figures_pkey;
alter index reveal_figures_pkey set (fillfactor = 65); */
create index reveal_figures_by_bundle on reveal_figures (((prediction_leaf + leaves_later) / 256));

create view reveals as
  select prediction_leaf, leaves_later, prediction_leaf + leaves_later as leaf, cast((scores >> 46) & 1 as integer) as waking,
    cast(nullif(calms & 1023, 1023) as double precision) / 1000 as expected_calm,
    cast(nullif(calms >> 10, 1023) as double precision) / 1000 as calm_probability,
    cast(nullif((scores >> 44) & 3, 2) as integer) as was_calm,
    cast(nullif(scores & 1023, 1023) as double precision) / 1000 as accuracy_score,
    cast(nullif((scores >> 10) & 1023, 1023) as double precision) / 1000 as baseline_score,
    cast(nullif((scores >> 20) & 1023, 1023) as double precision) / 1000 as persistence_score,
    cast(nullif((scores >> 30) & 1023, 1023) as double precision) / 1000 as last_week_score,
    case (scores >> 40) & 15 when 1 then 'weather_miss' when 2 then 'footfall_miss' when 3 then 'timing_miss'
      when 4 then 'freshness_miss' when 5 then 'threshold_too_loose' when 6 then 'saturation_misread'
      when 7 then 'wrong_pocket_inheritance' end as error_type
  from reveal_figures;

create view revealed_forecasts as
  select p.slot, p.pocket, p.pocket_id, p.generator, p.prediction_type, p.reveal_at, p.confidence, p.completeness,
    p.shadow, p.leaf as prediction_leaf, p.first_leaf, p.place, r.leaf, r.waking, r.expected_calm, r.calm_probability,
    r.was_calm, r.accuracy_score, r.baseline_score, r.persistence_score, r.last_week_score, r.error_type
  from predictions p join reveals r on r.prediction_leaf = p.leaf;

-- removable from reveal_figures: exists (select 1 from archived_bundles a where old.prediction_leaf + old.leaves_later < 256 * a.bundles)
-- readable from: 27
