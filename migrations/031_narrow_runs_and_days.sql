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

-- Forecasts of a pocket by hour, as other rows are by day: see 024_rows_by_day.sql. A pocket has more of them than of other
-- rows, and whether one was sealed at a slot is asked for each pocket of a list. An order of the
-- forecasts of one pocket by the column hour, then by the slot, is that of the index: in the embedded store, whose index has
-- the slot, hour is the pocket, and the same for all of them.
/* postgres:
drop index forecast_sets_by_pocket;
create index forecast_sets_by_pocket on forecast_sets (pocket, (slot / 3600000)); */
drop view revealed_forecasts;
drop view predictions;
create view predictions as
  select s.leaf + m.place as leaf, s.leaf as first_leaf, m.place, s.slot, s.pocket, k.pocket_id, m.generator,
    m.prediction_type, s.slot + m.horizon as reveal_at,
    cast((s.confidences >> (10 * m.place)) & 1023 as double precision) / 1000 as confidence,
    cast(s.completeness_milli as double precision) / 1000 as completeness, m.shadow,
    /* sqlite: s.pocket */ /* postgres: s.slot / 3600000 */ as hour
  from forecast_sets s
  cross join forecast_lists m
  left join forecast_pockets k on k.number = s.pocket
  where m.list = s.list;
create view revealed_forecasts as
  select p.slot, p.pocket, p.pocket_id, p.generator, p.prediction_type, p.reveal_at, p.confidence, p.completeness,
    p.shadow, p.leaf as prediction_leaf, p.first_leaf, p.place, r.leaf, r.waking, r.expected_calm, r.calm_probability,
    r.was_calm, r.accuracy_score, r.baseline_score, r.persistence_score, r.last_week_score, r.error_type, p.hour
  from predictions p join reveals r on r.prediction_leaf = p.leaf;

-- Silences and verdicts of a pocket by day. A single one is found by the slot and the pocket, as in tables that have these
-- as their key. The column day is as hour above.
/* postgres:
drop index silences_by_slot;
create index silences_by_slot on silence_figures (slot, pocket_id);
drop index silences_by_pocket;
create index silences_by_pocket on silence_figures (pocket_id, (slot / 86400000));
drop index verdicts_by_slot;
create unique index verdicts_by_slot on verdict_figures (slot, pocket_id);
drop index verdicts_by_pocket;
create index verdicts_by_pocket on verdict_figures (pocket_id, (slot / 86400000)); */
drop view silences;
create view silences as
  select f.leaf,
    /* sqlite: f.pocket_id || '-' || strftime('%Y%m%dT%H%MZ', f.slot / 1000, 'unixepoch') as id, */
    /* postgres: f.pocket_id || '-' || to_char(to_timestamp(f.slot / 1000) at time zone 'UTC', 'YYYYMMDD"T"HH24MI"Z"') as id, */
    f.slot, f.pocket_id,
    case f.gate when 1 then 'resonance' when 2 then 'moment_silence' when 3 then 'why_this_place' when 4 then 'why_now' when 5 then 'why_this_person'
      when 6 then 'why_worth_attention' when 7 then 'why_low_effort' when 8 then 'voice' end as gate,
    case f.reason when 1 then 'no_norm' when 2 then 'tense' when 3 then 'fragile' when 4 then 'heard_enough'
      when 5 then 'resonance_time' when 6 then 'resonance_physical' when 7 then 'resonance_human_energy' when 8 then 'resonance_merchant_state'
      when 9 then 'resonance_attention_density' when 10 then 'resonance_intent' when 11 then 'resonance_temporal' when 12 then 'why_this_place'
      when 13 then 'why_now' when 14 then 'why_this_person' when 15 then 'why_worth_attention' when 16 then 'why_low_effort'
      when 17 then 'voice' end as reason,
    f.candidate_confidence_milli / cast(1000 as double precision) as candidate_confidence,
    f.legitimacy_score_milli / cast(1000 as double precision) as legitimacy_score,
    case f.band when 1 then 'legitimate' when 2 then 'borderline' when 3 then 'remain_silent' end as band,
    f.usual_calm_milli / cast(1000 as double precision) as usual_calm,
    case f.near_miss when 1 then 'resonance' when 2 then 'moment_silence' when 3 then 'why_this_place' when 4 then 'why_now' when 5 then 'why_this_person'
      when 6 then 'why_worth_attention' when 7 then 'why_low_effort' end as near_miss,
    f.slot + f.window_ms as window_end, f.gate as gate_number, f.near_miss as near_miss_number,
    /* sqlite: f.pocket_id */ /* postgres: f.slot / 86400000 */ as day
  from silence_figures f;
drop view verdicts;
create view verdicts as
  select f.leaf, f.slot, f.slot + f.window_ms as revealed_at,
    f.attention_hundredths / cast(100 as double precision) as attention_minutes_preserved,
    f.spoke, f.served, f.pocket_id,
    case f.reason when 1 then 'no_norm' when 2 then 'tense' when 3 then 'fragile' when 4 then 'heard_enough'
      when 5 then 'resonance_time' when 6 then 'resonance_physical' when 7 then 'resonance_human_energy' when 8 then 'resonance_merchant_state'
      when 9 then 'resonance_attention_density' when 10 then 'resonance_intent' when 11 then 'resonance_temporal' when 12 then 'why_this_place'
      when 13 then 'why_now' when 14 then 'why_this_person' when 15 then 'why_worth_attention' when 16 then 'why_low_effort'
      when 17 then 'voice' end as reason,
    case f.outcome when 1 then 'served' when 2 then 'not_calm' when 3 then 'did_not_hold' when 4 then 'usually_calm' when 5 then 'no_better'
      when 6 then 'unknown_readings' when 7 then 'unknown_usual' end as outcome,
    /* sqlite: f.pocket_id */ /* postgres: f.slot / 86400000 */ as day
  from verdict_figures f;

-- A pause is a moment at which nothing was decided: two columns of its row say so. pause is 1 for quiet_hours, 2 for
-- already_speaking, and null where something was decided. Not sealed, not judged.
alter table moment_figures add column pause smallint;
alter table moment_figures add column pause_legitimacy_milli integer;
/* sqlite: drop trigger moment_figures_no_update; drop trigger moment_figures_no_delete; */
/* postgres: drop trigger moment_figures_no_change on moment_figures; */
update moment_figures set
  pause = case p.kind when 'quiet_hours' then 1 when 'already_speaking' then 2 end,
  pause_legitimacy_milli = cast(round(p.legitimacy_score * 1000) as integer)
  from pauses p where p.slot = moment_figures.slot and p.pocket_id = moment_figures.pocket_id;
drop table pauses;
-- The newest ones of a city are listed by kind.
create index moments_by_pause on moment_figures (pause, slot) where pause is not null;
create view pauses as
  select m.slot, m.pocket_id, case m.pause when 1 then 'quiet_hours' when 2 then 'already_speaking' end as kind,
    m.pause_legitimacy_milli / cast(1000 as double precision) as legitimacy_score, m.pause as kind_number,
    /* sqlite: m.pocket_id */ /* postgres: m.slot / 86400000 */ as day
  from moment_figures m where m.pause is not null;

-- A slot's rows come in the order of their key, after those of earlier slots: a page needs no room for others. Districts of
-- a large city write one after the other into the same slot, and there it makes little difference.
/* postgres:
alter index moment_figures_pkey set (fillfactor = 100);
alter index reading_figures_pkey set (fillfactor = 100);
alter index equilibrium_figures_pkey set (fillfactor = 100);
alter index silences_by_slot set (fillfactor = 100); */

-- append-only: run_names, job_claims, moment_figures
-- readable from: 31
