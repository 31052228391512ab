-- How long raw signals stay. Readings, decisions, rollups and the ledger do not depend on them once a slot is written, and
-- outlive them. kept_from: what was measured in earlier slots was let go, or is about to be; it never falls. No row: all
-- of it is kept.
create table signal_retention (
  id integer primary key check (id = 1),
  kept_from bigint not null
);

-- removable from env_snapshots: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- removable from provenance_packs: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- removable from outlet_activity: exists (select 1 from signal_retention k where old.slot < k.kept_from)
-- removable from citizen_senses: exists (select 1 from signal_retention k where old.slot < k.kept_from)
