-- The transparency log. Its entries, tiles and checkpoints are what outsiders verify.

-- Every sealed row, in the order of sealing. payload is the canonical text that was hashed.
create table ledger_entries (
  leaf integer primary key,
  type text not null,
  id text not null,
  payload text not null,
  payload_hash text not null
);

-- Complete tiles of the Merkle tree, 256 hashes each, in base64. Written once.
create table ledger_tiles (
  level integer not null,
  idx bigint not null,
  hashes text not null,
  primary key (level, idx)
) /* clustered */;

-- The tree heads that the log has published, as signed notes.
create table ledger_checkpoints (
  size bigint primary key,
  note text not null,
  signed_at bigint not null
);

-- The incomplete tiles at the right edge of the tree, and the tree's size. Both follow from the entries.
create table ledger_edges (
  level integer primary key,
  idx bigint not null,
  hashes text not null
);
create table ledger_size (id integer primary key check (id = 1), size bigint not null);
insert into ledger_size (id, size) values (1, 0);

-- append-only: ledger_entries, ledger_tiles, ledger_checkpoints
