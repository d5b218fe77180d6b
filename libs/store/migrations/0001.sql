-- What is not folded from the log: facts of this database itself, and operational state. A replay, a rebuild or
-- `catalog verify` never touches it, and a backup of the log alone does not hold it.

-- Facts of this database itself: gen (mirror generation), cursor_secret, log_id (identity of the log it was folded from).
create table meta (
  key text primary key,
  value text not null
);

-- Sets of read models (see read-models/tables.sql): the one that is served, and others beside it.
create table builds (
  build int primary key,
  state text not null check (state in ('building', 'served', 'former')),
  created_at timestamptz not null default now(),
  -- Of a build that is being made: whether its observations were loaded and have their indexes.
  is_loaded boolean not null default false,
  -- Records a second at most; null: as fast as it goes.
  rate_max int,
  paused boolean not null default false,
  flipped_at timestamptz
);
-- One is served at any time.
create unique index builds_served on builds (state) where state = 'served';
insert into builds (build, state, is_loaded, flipped_at) values (1, 'served', true, now());

-- The embedded event log ----------------------------------------------------------------------------------------------

create table log_heads (
  topic text not null,
  partition int not null,
  -- Offsets are drawn from this row under its lock, never from a sequence: a number that is rolled back is given again,
  -- and no reader can see a later offset before an earlier one.
  next bigint not null,
  primary key (topic, partition)
);
create table log_records (
  topic text not null,
  partition int not null,
  "offset" bigint not null,
  key text not null,
  value text not null,
  primary key (topic, partition, "offset")
);

-- Callers -------------------------------------------------------------------------------------------------------------

-- What organization keys belong to: one cap over all its keys.
create table workspaces (
  workspace_id text primary key,
  name text not null unique,
  created_at timestamptz not null,
  -- Set by operators. Keys of an organization belong to a paid plan; agents of people may be connected to any.
  plan text not null check (plan in ('free', 'paid'))
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

-- Feeds ---------------------------------------------------------------------------------------------------------------

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

-- Embedders -----------------------------------------------------------------------------------------------------------

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

-- People and agents ---------------------------------------------------------------------------------------------------

create table users (
  user_id text primary key,
  email text not null,
  -- How it was made and what came out of it, in one text; the password is in no row.
  password_hash text not null,
  -- When whoever reads mail to the address said so; null: nobody may sign in by it yet.
  verified_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

-- One browser that a person signed in with. Its cookie holds 256 random bits, and here stands their SHA-256.
create table sessions (
  session_sha bytea primary key,
  user_id text not null references users on delete cascade,
  -- The first 200 characters of what the browser calls itself.
  browser text not null,
  created_at timestamptz not null,
  -- At most a minute behind.
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_old on sessions (expires_at);

create table workspace_members (
  workspace_id text not null references workspaces,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  primary key (workspace_id, user_id)
);
create index workspace_members_user on workspace_members (user_id);

-- Links that were sent by mail: each works once, and until it ends. Only the SHA-256 of the 256 bits in it stands here.
create table mailed_links (
  link_sha bytea primary key,
  purpose text not null check (purpose in ('verify', 'reset', 'invite')),
  email text not null,
  -- Of 'verify' and 'reset'.
  user_id text references users on delete cascade,
  -- Of 'invite'.
  workspace_id text references workspaces,
  role text check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'invite') = (workspace_id is not null)),
  check ((purpose = 'invite') = (role is not null)),
  check ((purpose = 'invite') = (user_id is null))
);
create index mailed_links_workspace on mailed_links (workspace_id, created_at) where workspace_id is not null;
create index mailed_links_old on mailed_links (expires_at);

-- Who did what to a workspace; rows are never changed.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  workspace_id text not null references workspaces,
  at timestamptz not null,
  -- An e-mail, the name of an agent, or 'operator'.
  actor text not null,
  -- As 'key.issued': the thing and what happened to it.
  action text not null,
  -- What it happened to, as people know it: the first characters of a key, an e-mail, the name of an agent.
  target text not null,
  details jsonb not null default '{}'
);
create index audit_log_workspace on audit_log (workspace_id, audit_id);

-- Mail that is to be sent, and that was.
create table mail_outbox (
  mail_id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  -- Null once it is sent or given up: links in it are secrets.
  body text,
  created_at timestamptz not null,
  -- When it is tried next; null: sent, or given up.
  next_at timestamptz,
  attempts int not null default 0,
  last_error text,
  sent_at timestamptz
);
create index mail_outbox_due on mail_outbox (next_at) where next_at is not null;

-- A client that a person let act for a workspace. One for each client, person and workspace, until it is revoked.
create table agents (
  agent_id text primary key,
  workspace_id text not null references workspaces,
  user_id text not null references users on delete cascade,
  client_id text not null,
  client_name text not null,
  -- Where the browser was sent back to.
  redirect_host text not null,
  -- Space-separated.
  scope text not null,
  -- Of the authorization server, whose every token names it.
  grant_id text not null unique,
  created_at timestamptz not null,
  -- At most a minute behind.
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index agents_connected on agents (user_id, client_id, workspace_id) where revoked_at is null;
create index agents_workspace on agents (workspace_id, created_at);

-- What the authorization server remembers: its library's models, under the SHA-256 of their secret names.
create table oauth_payloads (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamptz,
  -- Null: never.
  expires_at timestamptz,
  primary key (model, id)
);
create index oauth_payloads_grant on oauth_payloads (grant_id) where grant_id is not null;
create index oauth_payloads_uid on oauth_payloads (uid) where uid is not null;
create index oauth_payloads_old on oauth_payloads (expires_at) where expires_at is not null;

-- The keys that tokens are signed with: one signs, those after it are known before they sign, those before it until all
-- that they signed has ended.
create table oauth_keys (
  kid text primary key,
  -- With its private part.
  jwk jsonb not null,
  created_at timestamptz not null,
  signs_from timestamptz not null
);

-- Requests that counted in a calendar month, UTC, of one key or one agent. What processes have not written yet is a few
-- seconds old at most; one that is killed loses it. The caps are kept by limit_windows, which lose nothing.
create table usage_counts (
  subject text not null,
  month date not null,
  requests bigint not null,
  primary key (subject, month)
);
