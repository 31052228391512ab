-- Where the signals of a slot came from, packed for many pockets at once: texts that are much alike. A snapshot names the
-- pack of its slot that has its own in `provenance`; snapshots of older versions have the JSON itself there.
-- Not clustered: of a long value SQLite would keep a quarter of a page there, and a whole page for the rest.
create table provenance_packs (
  slot bigint not null,
  name text not null,
  provenance bytea not null,
  primary key (slot, name)
);

-- append-only: provenance_packs
-- readable from: 13
