-- Upgrades of a store that is in use: which schema it has, who can still read it, and how far large changes have come.
--
-- Rules of every file from this one on:
--   A file that a released version applied is never edited: a change is a new file with the next number.
--   It must be quick, since readers wait for it: a change of many rows is made in batches (src/store/schema/batches.ts).
--   A line "readable from: N" says that programs which know the schema only up to N - 1 cannot read the store any more.
--   A line "alone" makes the upgrade refuse while another process has the store open.
--   New columns of tables that older programs fill must have a default, unless the file is not readable for them.

-- "schema_number": that of the newest file that was applied. Each writing transaction compares it with the program's own:
-- a process of an older version that was not stopped writes nothing. "readable_from": the lowest number of a program
-- that can read this store.
alter table store_revision add column schema_number integer not null default 0;
alter table store_revision add column readable_from integer not null default 0;

-- How far each change that is made in batches has come. "position" is where the next batch begins, in the words of the
-- change; its row is locked by the process that makes a batch, which updates it in the same transaction.
create table schema_batches (
  key text primary key,
  position text not null,
  done bigint not null,
  total bigint not null,
  began_at bigint not null,
  updated_at bigint not null,
  finished integer not null
);

-- Programs before 1.0.0 do not compare the number.
-- alone
-- readable from: 1
