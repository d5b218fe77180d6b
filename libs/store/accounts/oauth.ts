import { hash } from 'node:crypto'
import { affectsRow, type Queryable, type Store } from '@catalog/store/db.ts'
import { sealedClient, sealedKey, unsealedClient, unsealedKey } from './secrets.ts'

/**
 * Storage of the authorization server: the models of its library, and its signing keys. Instants are arguments, ISO
 * 8601 with Z.
 */

/** A model of the library. `jti` is its name; for tokens and sessions it is also the secret. */
export type Payload = Readonly<Record<string, unknown>> & Readonly<{ grantId?: string; uid?: string; exp?: number }>

/** The names of clients and grants are not secret, so they are stored without hashing. */
const OPEN_MODELS: ReadonlySet<string> = new Set(['Client', 'Grant'])

/** The model of clients, some of which have a secret. */
const CLIENT = 'Client'

const storedId = (model: string, id: string) => (OPEN_MODELS.has(model) ? id : hash('sha256', id, 'base64url'))

/** Writes a whole model; `expiresAt` null: it never expires. */
export async function writePayload(
  db: Queryable,
  { model, id, payload, expiresAt }: { model: string; id: string; payload: Payload; expiresAt: string | null },
): Promise<void> {
  const { jti, ...given } = payload
  const stored = model === CLIENT ? sealedClient(db, id, given) : given
  await db.query(
    `insert into oauth_payloads (model, id, payload, grant_id, uid, expires_at) values ($1, $2, $3::jsonb, $4, $5, $6)
     on conflict (model, id) do update
       set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`,
    [model, storedId(model, id), JSON.stringify(stored), payload.grantId ?? null, payload.uid ?? null, expiresAt],
  )
}

/** Undefined once expired. A consumed model carries the time of its consumption, in seconds. */
export async function readPayload(
  db: Queryable,
  { model, id, at }: { model: string; id: string; at: string },
): Promise<Payload | undefined> {
  const [row] = await db.query<PayloadRow>(
    `select payload, extract(epoch from consumed_at)::float8 as consumed from oauth_payloads
      where model = $1 and id = $2 and (expires_at is null or expires_at > $3)`,
    [model, storedId(model, id), at],
  )
  if (row === undefined) return undefined
  const payload = payloadOf(row)
  return { ...(model === CLIENT ? unsealedClient(db, id, payload) : payload), jti: id }
}

/** Finds a session by its second name, which is not secret. Its secret is not stored. */
export async function readPayloadByUid(
  db: Queryable,
  { model, uid, at }: { model: string; uid: string; at: string },
): Promise<Payload | undefined> {
  const [row] = await db.query<PayloadRow>(
    `select payload, extract(epoch from consumed_at)::float8 as consumed from oauth_payloads
      where model = $1 and uid = $2 and (expires_at is null or expires_at > $3)`,
    [model, uid, at],
  )
  return row && payloadOf(row)
}

type PayloadRow = Readonly<{ payload: Payload; consumed: number | null }>
const payloadOf = ({ payload, consumed }: PayloadRow): Payload =>
  consumed === null ? payload : { ...payload, consumed: Math.floor(consumed) }

/** Returns false for every use after the first. */
export async function consumePayload(
  db: Queryable,
  { model, id, at }: { model: string; id: string; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `update oauth_payloads set consumed_at = $3 where model = $1 and id = $2 and consumed_at is null returning id`,
    [model, storedId(model, id), at],
  )
}

export async function deletePayload(db: Queryable, { model, id }: { model: string; id: string }): Promise<void> {
  await db.query(`delete from oauth_payloads where model = $1 and id = $2`, [model, storedId(model, id)])
}

/** Deletes everything that belongs to a grant, and revokes its agent: revoking one token revokes the grant. */
export async function revokeGrant(db: Queryable, { grantId, at }: { grantId: string; at: string }): Promise<void> {
  await db.query(
    `with revoked as (
       update agents set revoked_at = $2 where grant_id = $1 and revoked_at is null
         returning workspace_id, client_name
     ), told as (
       insert into audit_log (workspace_id, at, actor, action, target)
       select workspace_id, $2, client_name, 'agent.revoked', client_name from revoked
     )
     delete from oauth_payloads where grant_id = $1 or (model = 'Grant' and id = $1)`,
    [grantId, at],
  )
}

/** Extends the lifetime of a model that is still needed. */
export async function extendPayload(
  db: Queryable,
  { model, id, expiresAt }: { model: string; id: string; expiresAt: string },
): Promise<void> {
  await db.query(
    `update oauth_payloads set expires_at = $3 where model = $1 and id = $2 and expires_at < $3::timestamptz`,
    [model, storedId(model, id), expiresAt],
  )
}

/** Deletes expired models, at most `max`; returns how many. */
export async function purgePayloads(db: Queryable, { at, max }: { at: string; max: number }): Promise<number> {
  const deleted = await db.query(
    `delete from oauth_payloads where (model, id) in (
       select model, id from oauth_payloads where expires_at < $1 order by expires_at limit $2 for update skip locked
     ) returning 1 as one`,
    [at, max],
  )
  return deleted.length
}

// Signing keys --------------------------------------------------------------------------------------------------------

export type SigningKeyRow = Readonly<{
  kid: string
  /** Includes the private key. */
  jwk: Readonly<Record<string, unknown>>
  created_at: string
  signs_from: string
}>

/** Newest first. */
export async function readSigningKeys(db: Queryable): Promise<SigningKeyRow[]> {
  const rows = await db.query<SigningKeyRow>(
    `select kid, jwk, created_at, signs_from from oauth_keys order by signs_from desc, kid`,
  )
  return rows.map((row) => ({ ...row, jwk: unsealedKey(db, row.kid, row.jwk) }))
}

/** Adds a first key only while there is none: returns false when another process was faster. */
export async function addSigningKey(
  store: Store,
  { kid, jwk, at, signsFrom, isFirst }: { kid: string; jwk: object; at: string; signsFrom: string; isFirst: boolean },
): Promise<boolean> {
  return await store.transaction(async (tx) => {
    // Without the lock, two processes would both find no key and both insert theirs.
    if (isFirst) await tx.query(`lock table oauth_keys in share row exclusive mode`)
    return await affectsRow(
      tx,
      `insert into oauth_keys (kid, jwk, created_at, signs_from)
       select $1, $2::jsonb, $3, $4 where not $5 or not exists (select from oauth_keys) returning kid`,
      [kid, JSON.stringify(sealedKey(tx, kid, jwk)), at, signsFrom, isFirst],
    )
  })
}

/** Deletes keys that a later key replaced before `endedBefore`. */
export async function dropSigningKeys(db: Queryable, { endedBefore }: { endedBefore: string }): Promise<number> {
  const deleted = await db.query(
    `delete from oauth_keys k where exists (
       select from oauth_keys later where later.signs_from > k.signs_from and later.signs_from < $1
     ) returning kid`,
    [endedBefore],
  )
  return deleted.length
}

/** Deletes all others: past, present and future signing keys. */
export async function dropOtherSigningKeys(db: Queryable, kid: string): Promise<void> {
  await db.query(`delete from oauth_keys where kid <> $1`, [kid])
}
