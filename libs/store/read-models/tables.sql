-- The read models: all tables that are folded from the log. Only the projector writes them, each batch together with its
-- checkpoint. They have a schema of their own, so that a replay can fill a second set from the beginning and exchange the
-- two (docs/decisions/0015-builds-are-schemas.md).
-- Integer keys (source, sku, item, crawl, observation) are private to one set, because they depend on arrival order. Every
-- digest and every answer uses the text ids.

-- The next offset that each projection applies. last_sha proves that the log below it is still the same.
create table checkpoints (
  projection text not null,
  topic text not null,
  partition int not null,
  next bigint not null default 0,
  last_sha text,
  -- When the last batch was applied, by the clock of the database.
  moved_at timestamptz not null default clock_timestamp(),
  primary key (projection, topic, partition)
);

-- Vendor side ---------------------------------------------------------------------------------------------------------

create table sources (
  source int generated always as identity primary key,
  source_id text not null unique,
  -- Null until SourceRegistered was applied; the registration with the smallest offset wins.
  registered_offset bigint,
  name text,
  region text,
  url text,
  trust_score int,
  validity_days int,
  -- 'until_superseded', or null: days alone.
  validity text,
  kind text,
  enabled boolean
);

create table vendor_skus (
  sku int generated always as identity primary key,
  vendor_sku_id text not null unique,
  -- A key of sources. The only writer has just looked it up; a foreign key would lock that row once for each SKU.
  source int not null,
  -- Null while only decisions have named the SKU.
  vendor_ref text,
  -- The SKU of the first article of its reference, where the reference has had several; observations have that key.
  reference int
);
-- SKUs of a source, newest first.
create index vendor_skus_source on vendor_skus (source, sku);
create index vendor_skus_reference on vendor_skus (reference) where reference is not null;

-- Terms of prices; all prices share a few combinations.
create table price_terms (
  terms int generated always as identity primary key,
  -- JSON of the columns below, in this order.
  terms_key text not null unique,
  currency text not null,
  per_quantity bigint not null,
  min_quantity numeric,
  tax_included boolean,
  tax_rate numeric,
  kind text not null,
  unit text,
  pack_quantity numeric,
  pack_unit text,
  lang text,
  -- The goods are no longer sold; their price has no vote. The key names it only where it is true.
  discontinued boolean not null default false,
  -- Of the price list; the key names it only where one is stated.
  edition text
);

-- The editions that any observation of a source ever stated. Whether one counts at a cut follows from its observations.
create table source_editions (
  source_id text not null,
  edition text collate "C" not null,
  primary key (source_id, edition)
);

create table crawls (
  crawl int generated always as identity primary key,
  crawl_id text not null unique
);

-- observation-indexes.sql adds the keys and indexes: a build gets them after its load.
create table observations (
  -- The first place in the log: partition × 2^48 + offset.
  observation bigint not null,
  observation_id bytea not null,
  -- Keys of vendor_skus, price_terms and crawls. The only writer looks them up; a foreign key would repeat that row by row.
  -- The same holds for redeliveries.
  sku int not null,
  terms int not null,
  -- The first crawl that delivered it, and the time of that delivery.
  crawl int not null,
  recorded_at timestamptz not null,
  observed_at timestamptz not null,
  cents bigint not null,
  -- The canonical payload, whose SHA-256 is observation_id.
  payload text not null
);

-- Further crawls that delivered an observation, each at its first offset. They are few: most prices come with a new date.
create table redeliveries (
  observation bigint not null,
  crawl int not null,
  partition int not null,
  "offset" bigint not null,
  recorded_at timestamptz not null,
  primary key (observation, crawl)
);
create index redeliveries_position on redeliveries (partition, "offset");
create index redeliveries_crawl on redeliveries (crawl);

-- Every crawl that delivered an observation, including the first.
create view deliveries as
  select observation, crawl, (observation >> 48)::int as partition, observation & ((1::bigint << 48) - 1) as "offset",
    recorded_at from observations
  union all
  select observation, crawl, partition, "offset", recorded_at from redeliveries;

-- New deliveries for a run: those of a partition from an offset on, by the indexes of both tables.
create function deliveries_from(from_partition int, from_offset bigint) returns table (observation bigint)
language sql stable as $$
  select observation from observations where observation >= (from_partition::bigint << 48) + from_offset
    and observation < (from_partition + 1)::bigint << 48
  union all
  select observation from redeliveries where partition = from_partition and "offset" >= from_offset
$$;

-- Retractions are separate facts, so they may arrive before the observations that they retract.
create table retractions (
  event_id text primary key,
  scope text not null check (scope in ('observation', 'crawl', 'source')),
  source_id text not null,
  observation_id bytea,
  crawl_id text,
  reason text not null,
  partition int not null,
  "offset" bigint not null,
  recorded_at timestamptz not null
);
create index retractions_observation on retractions (observation_id) where scope = 'observation';

-- Observations that do not count. Law: an observation is hidden when a person retracted it by id, or when retractions cover
-- all its deliveries. A retraction covers the deliveries of its crawl, or those of its source recorded up to it. Nothing is
-- stored, so the order of arrival cannot matter. `positions` (partition → next offset, {} for all) cuts the log: later
-- deliveries and retractions do not count.
create function hidden_observations(positions jsonb) returns table (observation bigint) language sql stable as $$
  with cut as (select key::int as partition, value::bigint as next from jsonb_each_text(positions)),
  retracted as (
    select r.* from retractions r left join cut using (partition) where cut.next is null or r."offset" < cut.next
  ),
  covered as (
    select d.observation, d.crawl from retracted r join crawls c using (crawl_id) join deliveries d using (crawl)
    join observations o using (observation) join vendor_skus s using (sku) join sources using (source)
    where r.scope = 'crawl' and sources.source_id = r.source_id
    union
    select d.observation, d.crawl from retracted r join sources using (source_id) join vendor_skus s using (source)
    join observations o using (sku) join deliveries d using (observation)
    where r.scope = 'source' and d.recorded_at <= r.recorded_at
  )
  select o.observation from retracted r join observations o using (observation_id) where r.scope = 'observation'
  union
  select distinct c.observation from covered c
  where not exists (
    select from deliveries d left join cut using (partition)
    where d.observation = c.observation and (cut.next is null or d."offset" < cut.next)
      and not exists (select from covered v where v.observation = d.observation and v.crawl = d.crawl)
  )
  union
  -- Few rows lie after a position: the index finds them, while a join would read every delivery.
  select d.observation from cut, lateral (
    select observation from deliveries_from(cut.partition, cut.next) offset 0
  ) d
  where not exists (
    select from deliveries e join cut using (partition) where e.observation = d.observation and e."offset" < cut.next
  )
$$;

-- The last report of each crawl of a source.
create table crawl_reports (
  crawl_id text not null,
  source_id text not null,
  event_id text not null,
  outcome text not null check (outcome in ('recorded', 'unchanged', 'failed', 'held', 'dropped')),
  complete boolean not null,
  partial boolean not null,
  etag text,
  last_modified text,
  read bigint not null,
  appended bigint not null,
  duplicates bigint not null,
  parked bigint not null,
  missed bigint not null,
  -- Canonical JSON of the event's field.
  problems text not null,
  health text,
  -- Null for crawls of files, which fetch nothing.
  started_at timestamptz,
  recorded_at timestamptz not null,
  primary key (crawl_id, source_id)
);
-- The newest crawl of a source by its start, so that a crawl that a person accepts later is as old as its bytes. One index
-- each for: any outcome, crawls that reached the vendor, whole crawls, and held crawls.
create index crawl_reports_source
  on crawl_reports (source_id, coalesce(started_at, recorded_at), crawl_id collate "C");
create index crawl_reports_fetched
  on crawl_reports (source_id, coalesce(started_at, recorded_at), crawl_id collate "C")
  where outcome in ('recorded', 'unchanged') and complete and missed = 0;
create index crawl_reports_whole
  on crawl_reports (source_id, coalesce(started_at, recorded_at), crawl_id collate "C")
  where outcome = 'recorded' and complete and not partial;
create index crawl_reports_held
  on crawl_reports (source_id, coalesce(started_at, recorded_at), crawl_id collate "C")
  where outcome = 'held';

-- Dead letters: records that the crawler could not record, or the projector could not apply.
create table parked (
  parked_id text primary key,
  origin text not null check (origin in ('crawler', 'projector')),
  topic text not null,
  partition int not null,
  "offset" bigint not null,
  source_id text,
  crawl_id text,
  position text,
  reason text not null,
  detail text not null,
  raw text not null,
  -- The hash of the whole record, where raw is only its beginning.
  raw_sha256 text,
  -- What it says, as canonical JSON, where a person can correct it.
  read_as text,
  -- Its SKU and instant, where they could be read.
  vendor_sku_id text,
  observed_at timestamptz,
  recorded_at timestamptz
);
create index parked_reason on parked (reason, parked_id);
-- Dead letters of one source, for its quality figures.
create index parked_source on parked (source_id, reason) where source_id is not null;
create table parked_resolutions (
  parked_id text primary key,
  event_id text not null,
  resolution text not null,
  reason text not null,
  recorded_at timestamptz not null
);

-- Dead letters that nobody resolved and that no later delivery of the same SKU and instant healed.
create view open_parked as
  select * from parked
  where not exists (select from parked_resolutions r where r.parked_id = parked.parked_id)
    and not exists (
      select from vendor_skus k join observations o using (sku) join deliveries d using (observation)
        join crawls c on c.crawl = d.crawl
      where k.vendor_sku_id = parked.vendor_sku_id and o.observed_at = parked.observed_at
        and d.recorded_at > parked.recorded_at
        -- A retracted delivery heals nothing.
        and not exists (
          select from retractions t
          where (t.scope = 'observation' and t.observation_id = o.observation_id)
            or (t.source_id = parked.source_id and t.scope = 'crawl' and t.crawl_id = c.crawl_id)
            or (t.source_id = parked.source_id and t.scope = 'source' and t.recorded_at >= d.recorded_at)));

create table recipes (
  recipe_id text primary key,
  sku int not null references vendor_skus,
  observed_at timestamptz not null,
  payload text not null
);
-- Recipes of one SKU by time.
create index recipes_sku on recipes (sku, observed_at);

-- Deliveries of recipes. A recipe is one fact, whichever crawls delivered it. Data that differs between deliveries is here:
-- so the recipe's row is the same in any order of events, and a retraction finds the deliveries that it covers.
create table recipe_deliveries (
  recipe_id text collate "C" not null,
  crawl_id text collate "C" not null,
  recorded_at timestamptz not null,
  -- Position in the file; the smallest text where one crawl met the recipe twice.
  position text not null,
  primary key (recipe_id, crawl_id)
);

-- Points of official price indices, each value that a publisher stated once. No table of items refers to them.
create table index_points (
  event_id text collate "C" primary key,
  index_id text collate "C" not null,
  source_id text not null,
  publisher text not null,
  url text,
  series text not null,
  title text not null,
  region text,
  base text,
  frequency text not null,
  period text collate "C" not null,
  -- The decimal as the event has it.
  value text not null,
  crawl_id text not null,
  observed_at timestamptz not null,
  recorded_at timestamptz not null,
  partition int not null,
  "offset" bigint not null
);
-- The values of a period, the one in force first.
create index index_points_index
  on index_points (index_id, period, observed_at desc, recorded_at desc, event_id desc);

-- The unchanged decisions topic; the tables below fold it.
create table decisions (
  "offset" bigint primary key,
  type text not null,
  -- Source id, vendor SKU id, item id, observation id (hex) or run id.
  subject text not null,
  decided_at timestamptz not null,
  payload text not null
);
create index decisions_subject on decisions (type, subject, "offset");
create index decisions_decided_at on decisions (type, decided_at);

create table item_keys (
  item int generated always as identity primary key,
  item_id text not null unique,
  founder int not null references vendor_skus,
  founding_n int not null,
  unit text,
  pack_quantity numeric,
  pack_unit text,
  -- The direct target of its merge; readers follow chains.
  merged_into int references item_keys
);
create index item_keys_founder on item_keys (founder);

-- The present item of a SKU. An item has at most one SKU per source.
create table memberships (
  -- Keys of vendor_skus, item_keys and sources; see observations.
  sku int primary key,
  item int not null,
  source int not null,
  unique (item, source)
);
create index memberships_source on memberships (source, item);

-- Keys by which the matcher finds matched SKUs (from SkuMatched.keys).
create table match_keys (
  key text collate "C" not null,
  -- A key of vendor_skus; see observations.
  sku int not null,
  primary key (key, sku)
);

-- Vendor SKUs that a person declared to be two products: no item ever holds both.
create table kept_apart (
  -- The smaller id first. Text ids, because a decision may name a SKU before its first observation arrives.
  sku_a text collate "C" not null,
  sku_b text collate "C" not null,
  since timestamptz not null,
  reason text not null,
  primary key (sku_a, sku_b)
);

-- Similar pairs that a rule did not join. Readers leave out pairs that share an item by now, or are kept apart.
create table proposals (
  sku_a text collate "C" not null,
  sku_b text collate "C" not null,
  score double precision not null,
  -- The rule's reasons for not deciding.
  why text[] not null,
  rule_version text not null,
  decided_at timestamptz not null,
  primary key (sku_a, sku_b)
);
-- Open pairs, highest score first.
create index proposals_score on proposals (score desc, sku_a, sku_b);

-- Item side -----------------------------------------------------------------------------------------------------------

create table items (
  item_id text collate "C" primary key,
  version int not null,
  -- The change with the present state; every item begins with a change.
  seq bigint not null,
  state text not null check (state in ('active', 'merged', 'gone')),
  merged_into text,
  -- Exact bytes: canonical JSON of the public state, and of its item alone for lists.
  public_state text not null,
  item_json text not null,
  state_sha bytea not null,
  material_sha bytea not null,
  name text not null,
  category_id text,
  vendor_sku_ids text[] not null,
  basis text not null,
  run_id text not null,
  as_of timestamptz not null,
  -- Of the public state; null where its texts do not say.
  kind text,
  -- The record of catalog.items that wrote the row last. It also numbers new bases, which are no change of the feed.
  "offset" bigint not null default 0
);
create index items_seq on items (seq);
create index items_offset on items ("offset");
-- Items with a first price that waits for a person (libs/store/catalog/quarantine.ts).
create index items_waiting on items (item_id) where state = 'active' and basis like '%"FIRST_PRICE_QUARANTINED"%';
create index items_category on items (category_id, item_id);

create table item_regions (
  region text not null,
  item_id text collate "C" not null,
  primary key (item_id, region)
);

-- The median of one region, as JSON for `price_region`; null without a vote.
create table item_markets (
  item_id text collate "C" not null,
  region text not null,
  median_json text,
  primary key (item_id, region)
);

-- Changes of medians. market '' is the headline. Null cents: no price from then on.
create table price_points (
  item_id text collate "C" not null,
  market text not null,
  recorded_at timestamptz not null,
  cents bigint,
  currency text,
  primary key (item_id, market, recorded_at)
);

create table categories (
  category_id text collate "C" primary key,
  parent_id text,
  name text not null,
  depth int not null
);
create index categories_parent on categories (parent_id, category_id);

-- The feed: gapless seq, never reused. state is null for a delete.
create table changes (
  seq bigint primary key,
  item_id text not null,
  op text not null check (op in ('upsert', 'delete')),
  version int not null,
  -- Microseconds since 1970, strictly rising with seq.
  updated_us bigint not null,
  state_sha bytea not null,
  state text,
  merged_into text,
  -- Canonical JSON of the median before this change, so that feeds can compare after older changes were deleted.
  former_median text
);
-- Ids sort by bytes, as in digests and snapshots.
create index changes_item on changes (item_id collate "C", seq);

-- Gapless numbers per scope ('items' and 'region/ES' ...), with the hash chain of the scope.
create table change_scopes (
  scope text not null,
  rseq bigint not null,
  seq bigint not null,
  op text not null check (op in ('upsert', 'delete', 'leave')),
  chain bytea not null,
  primary key (scope, rseq)
);
create table scope_heads (
  scope text primary key,
  rseq bigint not null,
  chain bytea not null,
  -- When the last change was applied, by the clock of the database.
  moved_at timestamptz not null default clock_timestamp()
);

-- Finished runs, from RunMarked.
create table run_marks (
  run_id text primary key,
  as_of timestamptz not null,
  seq bigint not null,
  "offset" bigint not null,
  items_published int not null,
  -- When the run ended, by the clock of its process; null for a run that was projected before this column.
  finished_at timestamptz,
  -- The offset of RunTakenBack, whose instant as_of then is, and the editions that were frozen because of the run.
  taken_back bigint,
  froze text[]
);
create index run_marks_offset on run_marks ("offset");
-- Changes that a feed must not skip: those after which a run ended.
create index run_marks_seq on run_marks (seq);

-- Search --------------------------------------------------------------------------------------------------------------

-- One document per item and embedder, made from changes. Removed items stay as tombstones, so that readers can follow by
-- seq. An index for a new embedder is filled beside the served one.
create table search_docs (
  item_id text collate "C" not null,
  seq bigint not null,
  removed boolean not null,
  name text not null,
  other_names text[] not null default '{}',
  body text not null,
  unit text,
  regions text[] not null,
  category_id text,
  -- float32 little endian, unit length; null when the text has nothing to embed.
  vector bytea,
  fingerprint text collate "C" not null,
  kind text,
  primary key (fingerprint, item_id)
);
create index search_docs_seq on search_docs (fingerprint, seq);

-- Search indexes fed from changes: one per adapter and embedder.
create table search_indexes (
  identity text collate "C" primary key,
  -- The next seq to feed.
  next bigint not null default 0,
  -- For the exact index: true once it has caught up with the index that served before.
  filled boolean not null default false,
  -- When a feeder last used it, to within an hour; an index without a feeder is dropped after a grace period.
  seen_at timestamptz not null default now()
);
