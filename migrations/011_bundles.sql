-- Entries of the ledger in bundles, and leaves of 64 bits. 256 entries take a tenth of the room of 256 rows, so that the
-- entries of every complete tile of level 0 are one packed row (src/store/ledger/packed-bundle.ts).
--
-- What a store of an older version has is moved in batches (src/store/schema/bundle-older-entries.ts): until that is
-- finished, entries and tiles that are not found in the new tables are in those of 1.0.0.
alter table ledger_entries rename to entries_of_1_0;
alter table ledger_tiles rename to tiles_of_1_0;
/* sqlite: drop trigger ledger_entries_no_update; drop trigger ledger_entries_no_delete; */
/* sqlite: drop trigger ledger_tiles_no_update; drop trigger ledger_tiles_no_delete; */
/* postgres: drop trigger ledger_entries_no_change on entries_of_1_0; */
/* postgres: drop trigger ledger_tiles_no_change on tiles_of_1_0; */

-- The entries of the tile idx of level 0, whole and packed.
create table ledger_bundles (
  idx bigint primary key,
  entries bytea not null
);
-- They are packed already.
/* postgres: alter table ledger_bundles alter column entries set storage external; */

-- The entries after the last bundle, in the order of sealing. The transaction that stores their bundle removes them.
-- payload is the canonical text that was hashed; it includes written_at, the real time of sealing, which never decreases
-- along the log.
create table ledger_entries (
  leaf bigint primary key,
  type text not null,
  id text not null,
  payload text not null
);

-- Complete tiles of the Merkle tree: 256 hashes of 32 bytes. Written once.
create table ledger_tiles (
  level integer not null,
  idx bigint not null,
  hashes bytea not null,
  primary key (level, idx)
);

-- Finds an entry by the beginning of its payload hash or of its leaf hash (src/store/ledger/hash-index.ts). It follows
-- from the bundles. Level 0 has a row for each bundle; 256 of them are merged into rows of level 1, by the first byte.
create table ledger_hash_index (
  level integer not null,
  first_byte integer not null,
  idx bigint not null,
  hashes bytea not null,
  primary key (level, first_byte, idx)
);

-- SQLite has one kind of integer.
/* postgres: alter table silences alter column leaf type bigint; */
/* postgres: alter table packages alter column leaf type bigint; */
/* postgres: alter table verdicts alter column leaf type bigint; */
/* postgres: alter table predictions alter column leaf type bigint; */
/* postgres: alter table reveals alter column prediction_leaf type bigint; */
/* postgres: alter table submissions alter column leaf type bigint; */
/* postgres: alter table submission_scores alter column submission_leaf type bigint; */
/* postgres: alter table ledger_keys alter column leaf type bigint; */

-- append-only: ledger_bundles, ledger_tiles
-- removable from ledger_entries: exists (select 1 from ledger_bundles b where b.idx = old.leaf / 256)
-- removable from entries_of_1_0: exists (select 1 from ledger_bundles b where b.idx = old.leaf / 256)
-- removable from tiles_of_1_0: exists (select 1 from ledger_tiles t where t.level = old.level and t.idx = old.idx)
-- readable from: 11
