-- Forecasts that are due are read in the order of sealing, some at a time.
create index predictions_by_reveal_order on predictions (reveal_at, leaf);
drop index predictions_by_reveal;
