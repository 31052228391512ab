-- What each active outlet was ready for at a slot. Reason and signals follow from the cause and the idle pressure.
create table merchant_readiness (
  slot bigint not null,
  pocket_id text not null,
  outlet_id text not null,
  cause text not null,
  confidence double precision not null,
  idle_pressure double precision,
  primary key (slot, pocket_id, outlet_id)
) /* clustered */;

-- append-only: merchant_readiness
