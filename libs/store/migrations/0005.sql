-- The last ended run of each recurring job, by whichever process had it: what operators see when nothing is published.
create table jobs (
  job text primary key,
  -- The instant of its schedule that it runs for.
  due_at timestamptz not null,
  -- Host and process id.
  process text not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  outcome text not null check (outcome in ('done', 'failed')),
  -- From 1 on; more than one after failures.
  attempt int not null,
  -- Why it failed; null otherwise.
  failure text
);
