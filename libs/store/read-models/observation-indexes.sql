-- What keeps observations unique and finds them: made with the tables where prices come day by day, and after the load where
-- a build reads the whole log, which takes a fraction of the time of keeping them up to date row by row.
alter table observations add primary key (observation);
alter table observations add unique (observation_id);
-- The observations of one SKU in time order: votes, fences, details.
create index observations_sku on observations (sku, observed_at);
-- Observations whose vote expires, or that come into sight, between two runs.
create index observations_observed_at on observations (observed_at);

create index observations_crawl on observations (crawl);
