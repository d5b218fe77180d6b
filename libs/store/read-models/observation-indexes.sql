-- Keys and indexes of observations. A first store creates them with its tables; a build creates them after its load, which
-- takes a fraction of the time of maintaining them row by row.
alter table observations add primary key (observation);
alter table observations add unique (observation_id);
-- Observations of one SKU by time: for votes, fences and item details.
create index observations_sku on observations (sku, observed_at);
-- Observations whose vote expires or begins between two runs.
create index observations_observed_at on observations (observed_at);

create index observations_crawl on observations (crawl);
