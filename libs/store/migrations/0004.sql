-- What search needs where the embedder may change, and where it is a provider that charges. The indexes are made from
-- changes and can be made again; the cache can be paid for again.

-- One index per embedder, side by side in one table: a new one is filled beside the one that serves.
update search_docs set fingerprint = 'none' where fingerprint is null;
alter table search_docs alter column fingerprint set not null;
alter table search_docs alter column fingerprint type text collate "C";
alter table search_docs drop constraint search_docs_pkey;
alter table search_docs add primary key (fingerprint, item_id);
drop index search_docs_seq;
create index search_docs_seq on search_docs (fingerprint, seq);
-- How near the document lies to everything (see Embedder.hubness).
alter table search_docs add column hubness real not null default 0;

-- What is, or was, fed from changes: an index of one adapter and one embedder.
create table search_indexes (
  identity text collate "C" primary key,
  -- The next seq to feed.
  next bigint not null default 0,
  -- Of the exact index: it has held all that the one that served had, and it is not far behind since.
  filled boolean not null default false,
  -- When a feeder last stood by it, to within an hour: what nobody feeds any more goes after a grace.
  seen_at timestamptz not null default now()
);
-- What was fed until now goes on serving.
insert into search_indexes (identity, filled) select distinct 'exact ' || fingerprint, true from search_docs;
delete from checkpoints where projection = 'search';

-- Tokens of the embeddings provider, by calendar month UTC ('2026-11'); those that are reserved count as spent.
create table embedding_spending (
  month text primary key,
  tokens bigint not null
);

-- Vectors that were paid for, by what was sent.
create table embedding_cache (
  fingerprint text collate "C" not null,
  text_sha bytea not null,
  -- float32 little endian, unit length.
  vector bytea not null,
  saved_at timestamptz not null default now(),
  primary key (fingerprint, text_sha)
);
create index embedding_cache_age on embedding_cache (saved_at);
