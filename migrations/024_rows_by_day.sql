-- Rows of a pocket or an outlet by day in place of the slot: PostgreSQL writes an entry of an index once for all rows that
-- have the same (src/store/rows/day-index.ts). A single row is found by the key, which begins with the slot. The embedded
-- store has no shared entries, and its tables stay as they are.
/* postgres:
drop index outlet_activity_by_outlet;
create index outlet_activity_by_outlet on outlet_activity (outlet, (slot / 86400000));
drop index moment_figures_by_pocket;
create index moment_figures_by_pocket on moment_figures (pocket_id, (slot / 86400000));
drop index equilibrium_figures_by_pocket;
create index equilibrium_figures_by_pocket on equilibrium_figures (pocket_id, (slot / 86400000));
drop index citizen_senses_by_pocket;
create index citizen_senses_by_pocket on citizen_senses (pocket_id, (slot / 86400000)); */
