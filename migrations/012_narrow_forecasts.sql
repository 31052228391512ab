-- A forecast is one narrow row and its reveal another. What a reveal had of its forecast is joined by its leaf
-- (revealed_forecasts); ids and the time of a reveal are in the entries of the ledger.
alter table predictions drop column id;
-- A forecast that is due at a time was sealed one of a few horizons before it: the index by slot finds it.
drop index predictions_by_reveal_order;
drop index reveals_by_pocket;
drop index reveals_by_slot;

-- PostgreSQL drops a column at once; SQLite would write all rows again for each of them.
/* postgres: alter table reveals drop column prediction_id, drop column slot, drop column reveal_at,
     drop column revealed_at, drop column pocket_id, drop column generator, drop column prediction_type,
     drop column confidence, drop column completeness, drop column shadow; */
/* sqlite:
create table narrow_reveals (
  prediction_leaf integer primary key,
  leaf integer not null,
  waking integer not null,
  expected_calm double precision,
  calm_probability double precision,
  was_calm integer,
  accuracy_score double precision,
  baseline_score double precision,
  persistence_score double precision,
  last_week_score double precision,
  error_type text
);
insert into narrow_reveals select prediction_leaf, leaf, waking, expected_calm, calm_probability, was_calm,
  accuracy_score, baseline_score, persistence_score, last_week_score, error_type from reveals;
drop table reveals;
alter table narrow_reveals rename to reveals;
create index reveals_by_leaf on reveals (leaf); */

create view revealed_forecasts as
  select p.slot, p.pocket_id, p.generator, p.prediction_type, p.reveal_at, p.confidence, p.completeness, p.shadow,
    p.leaf as prediction_leaf, r.leaf, r.waking, r.expected_calm, r.calm_probability, r.was_calm, r.accuracy_score,
    r.baseline_score, r.persistence_score, r.last_week_score, r.error_type
  from predictions p join reveals r on r.prediction_leaf = p.leaf;

-- append-only: reveals
-- readable from: 12
