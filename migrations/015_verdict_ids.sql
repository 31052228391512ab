-- A verdict is found by its leaf, or by the pocket and slot of its decision: the decision's id repeated both, and had an
-- index that was longer than the row.
create table short_verdicts (
  leaf integer primary key,
  slot bigint not null,
  revealed_at bigint not null,
  attention_minutes_preserved double precision not null,
  spoke integer not null,
  served integer,
  pocket_id text not null,
  reason text,
  outcome text not null
);
/* postgres: alter table short_verdicts alter column leaf type bigint; */
insert into short_verdicts
  select leaf, slot, revealed_at, attention_minutes_preserved, spoke, served, pocket_id, reason, outcome from verdicts;
drop table verdicts;
alter table short_verdicts rename to verdicts;
create index verdicts_by_slot on verdicts (slot);
create unique index verdicts_by_pocket on verdicts (pocket_id, slot);

-- append-only: verdicts
-- readable from: 15
