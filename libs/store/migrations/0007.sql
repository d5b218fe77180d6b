-- Recipes of price books. A recipe is one fact, whichever crawls brought it: what differs between those stands here, so
-- that the row of a recipe is the same in any order of events, and a retraction finds what it covers.
create table recipe_deliveries (
  recipe_id text collate "C" not null,
  crawl_id text collate "C" not null,
  recorded_at timestamptz not null,
  -- Where in its file the recipe stands; the smallest text where one crawl met it twice.
  position text not null,
  primary key (recipe_id, crawl_id)
);

-- The recipes of one SKU in time order; nothing was recorded before.
create index recipes_sku on recipes (sku, observed_at);
