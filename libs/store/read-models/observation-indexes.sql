-- Keys and indexes of observations. A first store creates them with its tables; a build creates them after its load, which
-- takes a fraction of the time of maintaining them row by row.
alter table observations add primary key (observation);
alter table observations add unique (observation_id);
-- Observations of one SKU by time: for votes, fences and item details.
create index observations_sku on observations (sku, observed_at);
-- Observations whose vote expires or begins between two runs.
create index observations_observed_at on observations (observed_at);

-- Crawls are numbered as they arrive, and so are the rows of this table: a summary of each 32 blocks finds those of a crawl.
-- Vacuum and autovacuum summarize new blocks; until then every reader of a crawl also reads those.
create index observations_crawl on observations using brin (crawl) with (pages_per_range = 32, autosummarize = on);
