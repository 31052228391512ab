-- A row of a forecast or of its reveal holds numbers alone. Figures of three decimals are thousandths (`_milli`), a
-- generator and a pocket are numbers that the tables below give a name, and the cause of a miss is its place in the list
-- of causes (errorTypes). Readers ask the views, which have the columns that the tables had.

-- Of a generator, all that is the same for its forecasts; one that comes off trial gets another number. horizon is in
-- milliseconds. A row is written with the first forecast that needs it, while the log is locked.
create table forecast_generators (
  number integer primary key,
  name text not null,
  prediction_type text not null,
  horizon integer not null,
  shadow integer not null,
  unique (name, prediction_type, horizon, shadow)
);

create table forecast_pockets (
  number integer primary key,
  pocket_id text not null unique
);

-- Else so few rows would never have statistics, and the planner would take the names of 8 generators for those of 800.
/* postgres: alter table forecast_generators set (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0); */
/* postgres: alter table forecast_pockets set (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0); */

create table prediction_figures (
  leaf integer primary key,
  slot bigint not null,
  pocket integer not null,
  generator smallint not null,
  confidence_milli smallint not null,
  completeness_milli smallint not null
);
/* postgres: alter table prediction_figures alter column leaf type bigint; */

-- The columns are those of the view, which says what null means (005_prediction.sql).
create table reveal_figures (
  prediction_leaf integer primary key,
  leaf bigint not null,
  waking smallint not null,
  expected_calm_milli smallint,
  calm_probability_milli smallint,
  was_calm smallint,
  accuracy_score_milli smallint,
  baseline_score_milli smallint,
  persistence_score_milli smallint,
  last_week_score_milli smallint,
  error_type smallint
);
/* postgres: alter table reveal_figures alter column prediction_leaf type bigint; */

insert into forecast_generators
  select row_number() over (order by min(leaf)), generator, prediction_type, reveal_at - slot, shadow
  from predictions group by generator, prediction_type, reveal_at - slot, shadow;
insert into forecast_pockets
  select row_number() over (order by min(leaf)), pocket_id from predictions group by pocket_id;
insert into prediction_figures
  select p.leaf, p.slot, k.number, g.number,
    cast(round(p.confidence * 1000) as integer), cast(round(p.completeness * 1000) as integer)
  from predictions p
  join forecast_generators g on g.name = p.generator and g.prediction_type = p.prediction_type
    and g.horizon = p.reveal_at - p.slot and g.shadow = p.shadow
  join forecast_pockets k on k.pocket_id = p.pocket_id
  order by p.leaf;
insert into reveal_figures
  select prediction_leaf, leaf, waking,
    cast(round(expected_calm * 1000) as integer), cast(round(calm_probability * 1000) as integer), was_calm,
    cast(round(accuracy_score * 1000) as integer), cast(round(baseline_score * 1000) as integer),
    cast(round(persistence_score * 1000) as integer), cast(round(last_week_score * 1000) as integer),
    case error_type when 'weather_miss' then 1 when 'footfall_miss' then 2 when 'timing_miss' then 3
      when 'freshness_miss' then 4 when 'threshold_too_loose' then 5 when 'saturation_misread' then 6
      when 'wrong_pocket_inheritance' then 7 end
  from reveals order by prediction_leaf;

drop view revealed_forecasts;
drop table predictions;
drop table reveals;
create index prediction_figures_by_pocket on prediction_figures (pocket, slot);
create index prediction_figures_by_slot on prediction_figures (slot);
create index reveal_figures_by_leaf on reveal_figures (leaf);

-- Left joins, which both engines leave out where a question needs neither name.
create view predictions as
  select p.leaf, p.slot, p.pocket, k.pocket_id, g.name as generator, g.prediction_type, p.slot + g.horizon as reveal_at,
    cast(p.confidence_milli as double precision) / 1000 as confidence,
    cast(p.completeness_milli as double precision) / 1000 as completeness, g.shadow
  from prediction_figures p
  left join forecast_generators g on g.number = p.generator
  left join forecast_pockets k on k.number = p.pocket;

create view reveals as
  select prediction_leaf, leaf, waking,
    cast(expected_calm_milli as double precision) / 1000 as expected_calm,
    cast(calm_probability_milli as double precision) / 1000 as calm_probability, was_calm,
    cast(accuracy_score_milli as double precision) / 1000 as accuracy_score,
    cast(baseline_score_milli as double precision) / 1000 as baseline_score,
    cast(persistence_score_milli as double precision) / 1000 as persistence_score,
    cast(last_week_score_milli as double precision) / 1000 as last_week_score,
    case error_type when 1 then 'weather_miss' when 2 then 'footfall_miss' when 3 then 'timing_miss'
      when 4 then 'freshness_miss' when 5 then 'threshold_too_loose' when 6 then 'saturation_misread'
      when 7 then 'wrong_pocket_inheritance' end as error_type
  from reveal_figures;

create view revealed_forecasts as
  select p.slot, p.pocket, p.pocket_id, p.generator, p.prediction_type, p.reveal_at, p.confidence, p.completeness,
    p.shadow, p.leaf as prediction_leaf, r.leaf, r.waking, r.expected_calm, r.calm_probability, r.was_calm,
    r.accuracy_score, r.baseline_score, r.persistence_score, r.last_week_score, r.error_type
  from predictions p join reveals r on r.prediction_leaf = p.leaf;

-- append-only: forecast_generators, forecast_pockets, prediction_figures, reveal_figures
-- readable from: 16
