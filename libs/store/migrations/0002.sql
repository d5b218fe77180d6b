-- Who calls the API, and how much of it. Operational state: it is not folded from the log, so a replay, a rebuild or
-- `catalog verify` never touches it, and a backup of the log alone does not hold it.

-- What organization keys belong to: one cap over all its keys.
create table workspaces (
  workspace_id text primary key,
  name text not null unique,
  created_at timestamptz not null
);

-- A key is held by whoever made it; here stands only what recognises it.
create table api_keys (
  key_id text primary key,
  kind text not null check (kind in ('pub', 'org')),
  -- SHA-256 of the whole key, which has 178 random bits: nothing slower is needed against guessing.
  key_sha bytea not null unique,
  -- Its first 12 characters, for people who have several.
  display_prefix text not null,
  -- Of organization keys.
  workspace_id text references workspaces,
  -- Of public developer keys, as it was given; nobody has proved it.
  email text,
  name text,
  created_at timestamptz not null,
  -- When a rotated key ends; null: never.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- At most a minute behind.
  last_used_at timestamptz,
  check ((kind = 'org') = (workspace_id is not null)),
  check ((kind = 'pub') = (email is not null))
);
create index api_keys_workspace on api_keys (workspace_id, created_at) where workspace_id is not null;
create index api_keys_created on api_keys (created_at, key_id);

-- How much of a limit is used in one window of time: a clock minute, hour or day, or a calendar month, UTC. Processes
-- lease from it; what they hold counts as used until they give it back.
create table limit_windows (
  -- Kind, and whose: 'month workspace ws_...'. Addresses and e-mails stand here only as an HMAC.
  bucket text collate "C" not null,
  starts_at timestamptz not null,
  used int not null,
  -- What the last lease got, and the limit it was asked under: before PostgreSQL 18 RETURNING cannot tell the row as it
  -- was, and a conflicting insert knows no other values than those of a row.
  granted int not null,
  cap int not null,
  -- When nobody will ask for it any more.
  keep_until timestamptz not null,
  primary key (bucket, starts_at)
  -- Updates stay on their page: no index names a column that they change.
) with (fillfactor = 70);
create index limit_windows_old on limit_windows (keep_until);
