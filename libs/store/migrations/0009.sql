-- When the next request to a host may begin: crawls of several processes take turns.
create table host_rates (
  host text primary key,
  next_at timestamptz not null
);
