-- What the holder of a lease is doing, and since when, for people who wait for it. A row without a worker, or with another one
-- than the holder, says nothing. The lease ends, and so does the row.
alter table leases add column if not exists worker text, add column if not exists stage text, add column if not exists done bigint,
  add column if not exists total bigint, add column if not exists stage_began_at timestamptz, add column if not exists noted_at timestamptz;
