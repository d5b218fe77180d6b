-- The second factor of a person: an authenticator that shows a code for each 30 seconds (RFC 6238).
create table second_factors (
  user_id text primary key references users on delete cascade,
  -- Base32, sealed where the catalog has a key for that.
  secret text not null,
  begun_at timestamptz not null,
  -- Null until a first code proved that the person has the authenticator.
  confirmed_at timestamptz,
  -- The time step of the last accepted code, because a code counts once.
  last_step bigint not null default 0
);

-- Codes for a person without the authenticator, each for one use: SHA-256 of 80 random bits.
create table recovery_codes (
  user_id text not null references second_factors on delete cascade,
  code_sha bytea not null,
  primary key (user_id, code_sha)
);

-- People who proved their password or mail, and owe the code. A cookie holds 256 random bits; this table stores their SHA-256.
create table pending_sign_ins (
  token_sha bytea primary key,
  user_id text not null references users on delete cascade,
  return_path text not null,
  expires_at timestamptz not null
);
create index pending_sign_ins_old on pending_sign_ins (expires_at);
create index pending_sign_ins_user on pending_sign_ins (user_id);
