-- The id of an entry says its kind, pocket and slot, and the rows of each kind are found by those.
drop index ledger_entries_by_id;
create index submissions_by_id on submissions (id);
