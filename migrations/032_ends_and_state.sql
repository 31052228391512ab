-- The silences of a district that end together are found by their end and their pocket, not among those of the city.
drop index silences_by_end;
create index silences_by_end on silence_figures ((slot + window_ms), pocket_id);

-- Every slot replaces these rows: room in their pages lets a new version stay where the old one was, with no new entry in
-- the index.
/* postgres:
alter table pipeline_state set (fillfactor = 50);
alter table scenario_outlooks set (fillfactor = 50); */
