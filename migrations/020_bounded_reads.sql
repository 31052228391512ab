-- What lets a question about some pockets, or about all of them together, be answered without reading every pocket.

-- The forecasts of a pocket's state that were sealed at the slot of its scenarios, as JSON: minutes_ahead, expected_state,
-- expected_calm, calm_probability. They are in the ledger too, where those of a hundred pockets lie in as many bundles.
-- Null: the row is of a program that did not write it.
alter table scenario_outlooks add column forecasts text;

-- What is usual of some pockets is read without that of the others.
create index norms_by_pocket on norms (pocket_id, hour_of_week);

-- window_outcomes of all pockets together: an answer about the network reads a row a day and kind.
create table network_window_outcomes (
  date text not null,
  kind text not null,
  shown integer not null,
  held integer not null,
  primary key (date, kind)
) /* clustered */;
insert into network_window_outcomes (date, kind, shown, held)
  select date, kind, cast(sum(shown) as integer), cast(sum(held) as integer) from window_outcomes group by date, kind;
create index window_outcomes_by_pocket on window_outcomes (pocket_id, date);
