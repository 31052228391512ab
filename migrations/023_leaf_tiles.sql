-- Complete tiles of level 0 are not stored while the bundle of their entries is: they are the hashes of those entries. When
-- entries leave the store, the transaction that removes their bundle stores the tile over them.
--
-- What a store of an older version has is removed in batches (src/store/schema/bundle-older-entries.ts).

-- removable from ledger_tiles: old.level = 0 and exists (select 1 from ledger_bundles b where b.idx = old.idx)
-- removable from tiles_of_1_0: exists (select 1 from ledger_tiles t where t.level = old.level and t.idx = old.idx) or (old.level = 0 and exists (select 1 from ledger_bundles b where b.idx = old.idx))
-- readable from: 23
