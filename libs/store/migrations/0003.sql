-- What feeds and mirrors need beside the changes themselves. Everything here can be made again from them.

-- The state of each scope at a mark (run_marks.seq), by its 256 bucket hashes, one after another.
create table digests (
  gen text not null,
  -- A number of scope 'items'.
  mark bigint not null,
  scope text not null,
  -- Of the scope's own: its last change up to the mark.
  seq bigint not null,
  count bigint not null,
  buckets bytea not null check (length(buckets) = 8192),
  state_root text not null,
  primary key (gen, mark, scope)
);

-- Finished snapshots whose files are kept.
create table snapshots (
  gen text not null,
  -- A mark.
  seq bigint not null,
  created_at timestamptz not null,
  count bigint not null,
  bytes bigint not null,
  -- SHA-256 of the bytes of manifest.json, hex.
  manifest_sha text not null,
  -- 'YYYY-MM' for the first of a month, which is kept for ever.
  edition text,
  primary key (gen, seq)
);

-- Changes up to the floor of a scope are not kept any more; no row: all are.
create table feed_floors (
  scope text primary key,
  floor bigint not null
);
