-- People, what they may do, and the agents that act for them. Operational state, as in 0002: a replay never touches it.

-- Set by operators. Keys of an organization belong to a paid plan; agents of people may be connected to any.
alter table workspaces add column plan text not null default 'paid' check (plan in ('free', 'paid'));
alter table workspaces alter column plan drop default;

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
