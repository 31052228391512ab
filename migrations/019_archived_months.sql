-- Entries that have left the store for an archive of files: the oldest bundles, and the rows that were made from them. Tiles,
-- checkpoints and the hash index stay, so that proofs go on. An archive holds the log from its first entry on, so that one
-- number says which entries have left, or are about to. The newest row counts; the number of bundles never falls.
create table archived_bundles (
  number integer primary key,
  -- The bundles before this one. Each of them was in the archive, and verified there, before the row was written.
  bundles bigint not null,
  -- The slot from which on the rows of sealed entries are all there.
  rows_from bigint not null,
  -- The address at which the archive can be read; null where the operator has named none.
  place text,
  archived_at bigint not null
);

-- append-only: archived_bundles
-- removable from ledger_bundles: exists (select 1 from archived_bundles a where old.idx < a.bundles)
-- removable from prediction_figures: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- removable from reveal_figures: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- removable from silences: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- removable from packages: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
-- removable from verdicts: exists (select 1 from archived_bundles a where old.leaf < 256 * a.bundles)
