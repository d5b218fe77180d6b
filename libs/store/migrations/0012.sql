-- Keys that sign the documents of the feeds (docs/mirror-protocol.md). Rows stay for ever: old keys verify old archives.
create table feed_keys (
  key_id text primary key,
  -- 32 bytes in base64url.
  public_key text not null,
  -- The seed in base64url, sealed where the catalog has a key for that; null once the key signs no more.
  secret text,
  created_at timestamptz not null,
  -- The instant from which it signs no more; null for the present key.
  signs_until timestamptz,
  -- Signatures by keys before it: [{"key": ..., "signature": ...}].
  endorsements jsonb not null
);
-- One present key: of several processes that make the first, one succeeds.
create unique index feed_keys_present on feed_keys ((signs_until is null)) where signs_until is null;

-- The catalog and the signatures of a digest, {"catalog": ..., "signatures": ...}; null for one that was saved without.
alter table digests add column if not exists signed jsonb;
