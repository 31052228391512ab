-- The forecasts of a pocket's state that were sealed at the slot of its scenarios, as JSON: minutes_ahead, expected_state,
-- expected_calm, calm_probability. They are in the ledger too, where those of a hundred pockets lie in as many bundles.
-- Null: the row is of a program that did not write it.
alter table scenario_outlooks add column forecasts text;
