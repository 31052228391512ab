-- The transparency log. Its entries, tiles and checkpoints are what outsiders verify.

-- Every sealed row, in the order of sealing. payload is the canonical text that was hashed; it includes written_at, the
-- real time of sealing, which never decreases along the log. leaf_hash_start is the first 8 hex digits of the entry's leaf
-- hash: with the same digits of payload_hash it finds an entry by a hash or by the beginning of one.
create table ledger_entries (
  leaf integer primary key,
  type text not null,
  id text not null,
  payload text not null,
  payload_hash text not null,
  leaf_hash_start text not null
);
create index ledger_entries_by_payload_hash on ledger_entries (substr(payload_hash, 8, 8));
create index ledger_entries_by_leaf_hash on ledger_entries (leaf_hash_start);

-- Complete tiles of the Merkle tree, 256 hashes each, in base64. Written once.
create table ledger_tiles (
  level integer not null,
  idx bigint not null,
  hashes text not null,
  primary key (level, idx)
) /* clustered */;

-- The tree heads that the log has published, as signed notes. signed_at is the written_at of the newest entry.
create table ledger_checkpoints (
  size bigint primary key,
  note text not null,
  signed_at bigint not null
);

-- The incomplete tiles at the right edge of the tree; the tree's size, the time of its newest entry, and how many of
-- its entries were sealed before their outcome and how many afterwards (the others are reveals). All of it follows from
-- the entries. Updating the row of ledger_size is the lock of the log.
create table ledger_edges (
  level integer primary key,
  idx bigint not null,
  hashes text not null
);
create table ledger_size (
  id integer primary key check (id = 1),
  size bigint not null,
  written_at bigint not null,
  sealed_before_outcome bigint not null,
  written_afterwards bigint not null
);
insert into ledger_size (id, size, written_at, sealed_before_outcome, written_afterwards) values (1, 0, 0, 0, 0);

-- The keys of the log, oldest first; the last one signs. A process whose settings name another key or origin refuses to
-- start, and to append. leaf is the entry that announces the key; the first key has none.
create table ledger_keys (
  number integer primary key,
  origin text not null,
  key_id text not null,
  verifier_key text not null,
  leaf integer
);

-- append-only: ledger_entries, ledger_tiles, ledger_checkpoints, ledger_keys
