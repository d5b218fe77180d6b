-- A browser in which a person signed in before. Its cookie holds 256 random bits for each person; this table stores their
-- SHA-256.
create table known_devices (
  device_sha bytea primary key,
  user_id text not null references users on delete cascade,
  -- The last sign-in.
  seen_at timestamptz not null
);
create index known_devices_user on known_devices (user_id);
create index known_devices_old on known_devices (seen_at);

-- Attempts to sign in since the last right password, and when the next one is due.
create table sign_in_waits (
  -- Kind and owner, as in limit_windows: a known device, or an e-mail and a network as an HMAC.
  bucket text collate "C" primary key,
  attempts int not null,
  next_at timestamptz not null
);
create index sign_in_waits_old on sign_in_waits (next_at);
