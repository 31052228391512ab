-- What a moment was held against when it was read, so that the same question asked again is answered from the same
-- figures: the pocket's usual stress for the hour, the mean calm of all pockets, the room in its open outlets.
-- Null where it was not known; network_calm is null only in rows from before this migration.
alter table moments add column usual_stress double precision;
alter table moments add column network_calm double precision;
alter table moments add column room double precision;
