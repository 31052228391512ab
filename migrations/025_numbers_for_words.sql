-- Numbers for the words of silences, verdicts and of what people said, and whole numbers for figures. The numbers are those
-- of src/store/rows/decision-words.ts and sense-words.ts. Readers ask views; those of silences and verdicts have the names
-- and columns that the tables had, and a number beside a word that has an index.

-- A decision not to speak. Its id is made of the pocket and the slot. window_ms: from the slot to the end that is judged.
-- near_miss: the number of a gate, or 0 for none: a null would make every row longer on PostgreSQL.
create table silence_figures (
  leaf integer primary key,
  slot bigint not null,
  window_ms integer not null,
  legitimacy_score_milli integer not null,
  candidate_confidence_milli smallint not null,
  usual_calm_milli smallint,
  gate smallint not null,
  reason smallint not null,
  band smallint not null,
  near_miss smallint not null,
  pocket_id text not null
);
/* postgres:
alter table silence_figures alter column leaf type bigint;
alter index silence_figures_pkey set (fillfactor = 100); */
insert into silence_figures
  select s.leaf, s.slot, cast(s.window_end - s.slot as integer), cast(round(s.legitimacy_score * 1000) as integer),
    cast(round(s.candidate_confidence * 1000) as smallint), cast(round(s.usual_calm * 1000) as smallint),
    case s.gate when 'resonance' then 1 when 'moment_silence' then 2 when 'why_this_place' then 3 when 'why_now' then 4 when 'why_this_person' then 5
      when 'why_worth_attention' then 6 when 'why_low_effort' then 7 when 'voice' then 8 end,
    case s.reason when 'no_norm' then 1 when 'tense' then 2 when 'fragile' then 3 when 'heard_enough' then 4
      when 'resonance_time' then 5 when 'resonance_physical' then 6 when 'resonance_human_energy' then 7 when 'resonance_merchant_state' then 8
      when 'resonance_attention_density' then 9 when 'resonance_intent' then 10 when 'resonance_temporal' then 11 when 'why_this_place' then 12
      when 'why_now' then 13 when 'why_this_person' then 14 when 'why_worth_attention' then 15 when 'why_low_effort' then 16
      when 'voice' then 17 end,
    case s.band when 'legitimate' then 1 when 'borderline' then 2 when 'remain_silent' then 3 end,
    coalesce(case s.near_miss when 'resonance' then 1 when 'moment_silence' then 2 when 'why_this_place' then 3 when 'why_now' then 4 when 'why_this_person' then 5
      when 'why_worth_attention' then 6 when 'why_low_effort' then 7 end, 0), s.pocket_id
  from silences s order by s.leaf;
drop table silences;
/* postgres: drop function refuse_silences_removal(); */
create index silences_by_slot on silence_figures (slot);
create index silences_by_pocket on silence_figures (pocket_id, slot);
create index silences_by_end on silence_figures ((slot + window_ms));
-- Human reviews list these silences only.
create index silences_by_voice on silence_figures (slot) where gate = 8;
create index silences_by_near_miss on silence_figures (slot) where near_miss > 0;
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
    f.slot + f.window_ms as window_end, f.gate as gate_number, f.near_miss as near_miss_number
  from silence_figures f;

-- The verdict on a line or a silence. window_ms: from the slot of the decision to its verdict. reason is that of the
-- silence, null for a line. Attention is computed to hundredths of a minute.
create table verdict_figures (
  leaf integer primary key,
  slot bigint not null,
  window_ms integer not null,
  attention_hundredths integer not null,
  spoke smallint not null,
  served smallint,
  reason smallint,
  outcome smallint not null,
  pocket_id text not null
);
/* postgres:
alter table verdict_figures alter column leaf type bigint;
alter index verdict_figures_pkey set (fillfactor = 100); */
insert into verdict_figures
  select v.leaf, v.slot, cast(v.revealed_at - v.slot as integer), cast(round(v.attention_minutes_preserved * 100) as integer),
    v.spoke, v.served,
    case v.reason when 'no_norm' then 1 when 'tense' then 2 when 'fragile' then 3 when 'heard_enough' then 4
      when 'resonance_time' then 5 when 'resonance_physical' then 6 when 'resonance_human_energy' then 7 when 'resonance_merchant_state' then 8
      when 'resonance_attention_density' then 9 when 'resonance_intent' then 10 when 'resonance_temporal' then 11 when 'why_this_place' then 12
      when 'why_now' then 13 when 'why_this_person' then 14 when 'why_worth_attention' then 15 when 'why_low_effort' then 16
      when 'voice' then 17 end,
    case v.outcome when 'served' then 1 when 'not_calm' then 2 when 'did_not_hold' then 3 when 'usually_calm' then 4 when 'no_better' then 5
      when 'unknown_readings' then 6 when 'unknown_usual' then 7 end, v.pocket_id
  from verdicts v order by v.leaf;
drop table verdicts;
/* postgres: drop function refuse_verdicts_removal(); */
create index verdicts_by_slot on verdict_figures (slot);
create unique index verdicts_by_pocket on verdict_figures (pocket_id, slot);
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
      when 6 then 'unknown_readings' when 7 then 'unknown_usual' end as outcome
  from verdict_figures f;

-- How many people chose a word: the number of the word, and of where it came from a letter: o for operators, s for the
-- simulated city; any other is written out after a sign (=). Readers ask sensed_words. The table of PostgreSQL keeps its
-- months.
/* postgres:
alter table citizen_senses
  alter column word type smallint using
    case word when 'calm' then 1 when 'busy' then 2 when 'social' then 3 when 'focused' then 4 when 'transitional' then 5 end,
  alter column source type text using
    case source when 'operator' then 'o' when 'simulated:citizen-sense' then 's' else '=' || source end; */
/* sqlite:
create table short_senses (
  slot bigint not null,
  pocket_id text not null,
  word smallint not null,
  people integer not null,
  source text not null,
  said_slot bigint,
  countable_from bigint
);
insert into short_senses
  select slot, pocket_id,
    case word when 'calm' then 1 when 'busy' then 2 when 'social' then 3 when 'focused' then 4 when 'transitional' then 5 end,
    people, case source when 'operator' then 'o' when 'simulated:citizen-sense' then 's' else '=' || source end,
    said_slot, countable_from
  from citizen_senses order by rowid;
drop table citizen_senses;
alter table short_senses rename to citizen_senses;
create index citizen_senses_by_pocket on citizen_senses (pocket_id, slot);
create index citizen_senses_by_slot on citizen_senses (slot);
create trigger citizen_senses_no_update before update on citizen_senses
begin select raise(abort, 'citizen_senses is append-only'); end;
create trigger citizen_senses_no_delete before delete on citizen_senses
when not (exists (select 1 from signal_retention k where old.slot < k.kept_from))
begin select raise(abort, 'citizen_senses is append-only'); end; */
create view sensed_words as
  select c.slot, c.pocket_id,
    case c.word when 1 then 'calm' when 2 then 'busy' when 3 then 'social' when 4 then 'focused' when 5 then 'transitional' end as word,
    c.people, case c.source when 'o' then 'operator' when 's' then 'simulated:citizen-sense' else substr(c.source, 2) end as source,
    c.said_slot, c.countable_from
  from citizen_senses c;

-- removable from silence_figures: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- removable from verdict_figures: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- readable from: 25
