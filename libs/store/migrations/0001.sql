-- State that is not folded from the log: facts about this database, and operational state. Replays, rebuilds and
-- `catalog verify` never touch it, and a backup of the log alone does not contain it.

-- Facts about this database: gen (mirror generation), cursor_secret, log_id (identity of its log).
create table meta (
  key text primary key,
  value text not null
);

-- Sets of read models (see read-models/tables.sql): the served one, and others beside it.
create table builds (
  build int primary key,
  state text not null check (state in ('building', 'served', 'former')),
  created_at timestamptz not null default now(),
  -- True once observations are loaded and indexed.
  is_loaded boolean not null default false,
  -- Records per second at most; null: unlimited.
  rate_max int,
  paused boolean not null default false,
  flipped_at timestamptz
);
-- At most one build is served.
create unique index builds_served on builds (state) where state = 'served';
insert into builds (build, state, is_loaded, flipped_at) values (1, 'served', true, now());

-- The embedded event log ----------------------------------------------------------------------------------------------

create table log_heads (
  topic text not null,
  partition int not null,
  -- Appends draw offsets from this row under its lock, never from a sequence. So a rolled back offset is used again, and
  -- no reader can see a later offset before an earlier one.
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

-- Owners of organization keys; one limit covers all keys of a workspace.
create table workspaces (
  workspace_id text primary key,
  name text not null unique,
  created_at timestamptz not null,
  -- Set by operators. Organization keys need a paid plan; people may connect agents to any.
  plan text not null check (plan in ('free', 'paid'))
);

-- Only the owner of a key has the key itself; this table stores its hash.
create table api_keys (
  key_id text primary key,
  kind text not null check (kind in ('pub', 'org')),
  -- SHA-256 of the whole key. A key has 178 random bits, so a slow hash would add nothing against guessing.
  key_sha bytea not null unique,
  -- The first 12 characters, so that people can tell their keys apart.
  display_prefix text not null,
  -- Set for organization keys.
  workspace_id text references workspaces,
  -- Set for public developer keys; as entered, not verified.
  email text,
  name text,
  created_at timestamptz not null,
  -- End of a rotated key; null: never.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- At most a minute behind.
  last_used_at timestamptz,
  check ((kind = 'org') = (workspace_id is not null)),
  check ((kind = 'pub') = (email is not null))
);
create index api_keys_workspace on api_keys (workspace_id, created_at) where workspace_id is not null;
create index api_keys_created on api_keys (created_at, key_id);

-- What people of a workspace said that a line of a list means. They are the workspace's own: no median reads them.
create table line_corrections (
  workspace_id text not null references workspaces,
  -- Words and numbers of the line, sorted; unit and region as written, or '' for any.
  text text collate "C" not null,
  unit text collate "C" not null,
  region text not null,
  -- Null: nothing of the catalog.
  item_id text,
  saved_at timestamptz not null,
  primary key (workspace_id, text, unit, region)
);

-- Usage of a limit in one window of time: a clock minute, hour or day, or a calendar month, UTC. Processes lease parts of
-- it; a lease counts as used until the process returns its rest.
create table limit_windows (
  -- Kind and owner: 'month workspace ws_...'. Addresses and e-mails appear only as an HMAC.
  bucket text collate "C" not null,
  starts_at timestamptz not null,
  used int not null,
  -- The last lease, and the limit that it was requested under. Before PostgreSQL 18, RETURNING cannot read the former row,
  -- and a conflicting insert can pass values only through columns.
  granted int not null,
  cap int not null,
  -- No process needs the window after this instant.
  keep_until timestamptz not null,
  primary key (bucket, starts_at)
  -- Heap-only updates: no index covers a column that they change.
) with (fillfactor = 70);
create index limit_windows_old on limit_windows (keep_until);

-- Feeds ---------------------------------------------------------------------------------------------------------------

-- The state of each scope at a mark (run_marks.seq): its 256 bucket hashes, concatenated.
create table digests (
  gen text not null,
  -- A seq of scope 'items'.
  mark bigint not null,
  scope text not null,
  -- The scope's own number: its last change up to the mark.
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
  -- 'YYYY-MM' for the first snapshot of a month, which is kept for ever.
  edition text,
  primary key (gen, seq)
);

-- Retention deleted the changes of a scope below its floor; no row: none.
create table feed_floors (
  scope text primary key,
  floor bigint not null
);

-- Embedders -----------------------------------------------------------------------------------------------------------

-- Tokens of the embeddings provider, by calendar month UTC ('2026-11'); reserved tokens count as spent.
create table embedding_spending (
  month text primary key,
  tokens bigint not null
);

-- Vectors of a paid provider, by the text that was sent.
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
  -- Algorithm, parameters, salt and hash in one text; no row holds the password.
  password_hash text not null,
  -- When the reader of the address confirmed it; null: sign-in is refused.
  verified_at timestamptz,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

-- A browser that a person signed in with. Its cookie holds 256 random bits; this table stores their SHA-256.
create table sessions (
  session_sha bytea primary key,
  user_id text not null references users on delete cascade,
  -- The first 200 characters of the browser's user agent.
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

-- Mailed links: each works once, until it expires. This table stores only the SHA-256 of its 256 random bits.
create table mailed_links (
  link_sha bytea primary key,
  purpose text not null check (purpose in ('verify', 'reset', 'invite')),
  email text not null,
  -- Set for 'verify' and 'reset'.
  user_id text references users on delete cascade,
  -- Set for 'invite'.
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

-- Actions on a workspace; rows never change.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  workspace_id text not null references workspaces,
  at timestamptz not null,
  -- An e-mail, the name of an agent, or 'operator'.
  actor text not null,
  -- Object and action, such as 'key.issued'.
  action text not null,
  -- The object as people know it: the first characters of a key, an e-mail, the name of an agent.
  target text not null,
  details jsonb not null default '{}'
);
create index audit_log_workspace on audit_log (workspace_id, audit_id);

-- Mail to send, and mail that was sent.
create table mail_outbox (
  mail_id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  -- Null once sent or given up: its links are secrets.
  body text,
  created_at timestamptz not null,
  -- Time of the next attempt; null: sent or given up.
  next_at timestamptz,
  attempts int not null default 0,
  last_error text,
  sent_at timestamptz
);
create index mail_outbox_due on mail_outbox (next_at) where next_at is not null;

-- An OAuth client that a person lets act for a workspace. At most one unrevoked row per client, person and workspace.
create table agents (
  agent_id text primary key,
  workspace_id text not null references workspaces,
  user_id text not null references users on delete cascade,
  client_id text not null,
  client_name text not null,
  -- Host of the client's redirect URI.
  redirect_host text not null,
  -- Space-separated.
  scope text not null,
  -- The authorization server's grant; every token names it.
  grant_id text not null unique,
  created_at timestamptz not null,
  -- At most a minute behind.
  last_used_at timestamptz,
  revoked_at timestamptz
);
create unique index agents_connected on agents (user_id, client_id, workspace_id) where revoked_at is null;
create index agents_workspace on agents (workspace_id, created_at);

-- Storage of the authorization server: its library's models, under the SHA-256 of their secret names.
create table oauth_payloads (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamptz,
  -- Null: it never expires.
  expires_at timestamptz,
  primary key (model, id)
);
create index oauth_payloads_grant on oauth_payloads (grant_id) where grant_id is not null;
create index oauth_payloads_uid on oauth_payloads (uid) where uid is not null;
create index oauth_payloads_old on oauth_payloads (expires_at) where expires_at is not null;

-- Signing keys of tokens. One signs now. Later keys are published before they sign; earlier keys stay until all their tokens
-- have expired.
create table oauth_keys (
  kid text primary key,
  -- Includes the private key.
  jwk jsonb not null,
  created_at timestamptz not null,
  signs_from timestamptz not null
);

-- Requests of one key or one agent in a calendar month, UTC. Processes write every few seconds, and a killed process loses
-- its unwritten counts. limit_windows enforces the limits, and loses nothing.
create table usage_counts (
  subject text not null,
  month date not null,
  requests bigint not null,
  primary key (subject, month)
);
