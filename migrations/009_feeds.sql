-- What live feeds gave, and how each of them is doing. Readings, decisions and the ledger do not depend on these rows
-- once a slot is written, so none is append-only: they are removed after FEED_DAYS and ARCHIVE_DAYS.

-- One value of one place. The key keeps the first of several rows for the same place, field and time. Where the feed
-- gives no time, "timed" is 0 and observed_at is when it came. "expires_at": a value that a sensor sent without a time
-- is not used after it; null where the field alone says how long a value stays fresh. "body" is the hash of the bytes
-- that it was read from (feed_bodies); null where those were not kept. "state" stands in the place of the value: the
-- place is closed, or has no data, and older values of it are not used any more. "high": the upper end of its range, where
-- one is stated.
create table measurements (
  feed text not null,
  place_id text not null,
  field text not null,
  observed_at bigint not null,
  timed integer not null,
  received_at bigint not null,
  value double precision,
  state text,
  high double precision,
  lat double precision,
  lng double precision,
  expires_at bigint,
  body text,
  primary key (feed, place_id, field, observed_at)
) /* clustered */;
create index measurements_by_receipt on measurements (received_at);

-- Raw bodies, addressed by the SHA-256 of their bytes. "content" is compressed (zstd) and written in base64, "url" is
-- without keys. Sizes in bytes.
create table feed_bodies (
  feed text not null,
  hash text not null,
  url text not null,
  received_at bigint not null,
  last_received_at bigint not null,
  raw_size bigint not null,
  stored_size bigint not null,
  content text not null,
  primary key (feed, hash)
);
-- With the size, so that the sum of sizes is read from the index alone.
create index feed_bodies_by_receipt on feed_bodies (last_received_at, stored_size);

-- One row a feed: when it is due, who reads it, and its health. "lease" names the poll under way, or the worker that
-- listens to the feed, until lease_until;
-- "faults" counts the rows that the last poll left out, by reason, "faults_total" those of all polls. "validators":
-- ETag and Last-Modified by the hash of the request's address.
create table feed_states (
  feed text primary key,
  lease text,
  lease_until bigint not null,
  next_due bigint not null,
  last_attempt bigint,
  last_success bigint,
  last_error text,
  failures integer not null,
  breaker text not null,
  newest_observed bigint,
  rows_kept integer not null,
  places integer not null,
  pockets text not null,
  faults text not null,
  faults_total text not null,
  validators text not null
);

-- Files of a feed's folder that were read, with their size in bytes and time: one that was written anew is read again.
create table feed_files (
  feed text not null,
  name text not null,
  size bigint not null,
  mtime bigint not null,
  primary key (feed, name)
) /* clustered */;

-- The places of each feed, with the nearest pocket of each and when it was first and last received. They are bounded in
-- number and time (src/sources/core/place-limits.ts); what is remembered of a sensor is forgotten with its place.
create table feed_places (
  feed text not null,
  place_id text not null,
  pocket_id text not null,
  first_seen bigint not null,
  last_seen bigint not null,
  primary key (feed, place_id)
) /* clustered */;
create index feed_places_by_pocket on feed_places (feed, pocket_id);

-- What is remembered of each sensor, to recognise one that is stuck (src/sources/core/frozen.ts) and to tell what a 0
-- means (src/sources/core/meaning/zero-meaning.ts): "largest" so far, "shown" the newest that was not 0, "zero" what the
-- present run of zeros means; "capacity": how many the place holds by the feed's own word.
create table sensor_runs (
  feed text not null,
  place_id text not null,
  field text not null,
  value double precision not null,
  since bigint not null,
  until bigint not null,
  longest_ms bigint not null,
  first_seen bigint not null,
  largest double precision not null,
  shown double precision,
  capacity double precision,
  zero text,
  primary key (feed, place_id, field)
) /* clustered */;

-- Requests to each publisher, of all workers together. The row of publisher_budgets is the lock under which requests
-- are counted; until paused_until the publisher has asked for quiet. Requests older than window_ms are removed: the
-- longest window of the publisher's feeds.
create table publisher_budgets (
  publisher text primary key,
  acquired bigint not null,
  window_ms bigint not null,
  paused_until bigint not null
);
create table publisher_requests (
  publisher text not null,
  at bigint not null,
  cost integer not null
);
create index publisher_requests_by_time on publisher_requests (publisher, at);
