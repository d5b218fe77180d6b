import { createHash } from 'node:crypto'
import {
  endorsementsOf,
  type FeedKey,
  type FeedKeys,
  newKeyPair,
  type Signature,
  type Signer,
  type SigningKey,
  signingKeyOf,
} from '@catalog/core/changes/signature.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { readMeta } from './checkpoints.ts'
import type { Queryable, Store } from './db.ts'
import { seal, unseal } from './sealing.ts'

/** The identity of a catalog: its id, and the keys that sign the documents of its feeds. */

/** A key signs beside its successor for so long: a mirror that stood still as long still knows one of two signatures. */
export const KEY_OVERLAP_MS = 90 * DAY_MS

/** What tells this catalog from others, also from those of equal generation and build: 32 hex digits that tell no secret. */
export async function readCatalogId(db: Queryable): Promise<string> {
  const secret = await readMeta(db, 'cursor_secret')
  if (secret === undefined) throw new Error(`meta has no 'cursor_secret': expected a schema made by migrate()`)
  return createHash('sha256').update(`catalog ${secret}`).digest('hex').slice(0, 32)
}

/** Every key that ever signed, the oldest first. */
export async function readFeedKeys(db: Queryable): Promise<FeedKeys> {
  return { catalog: await readCatalogId(db), keys: (await storedKeys(db)).map(({ secret: _secret, ...key }) => key) }
}

/**
 * As {@link readSigner}; null where this process cannot open the keys: then documents go without signatures, and the process
 * warns once. Throws when the store fails, since a digest keeps for ever the signatures with which it is saved.
 */
export async function openSigner(db: Queryable, now: Date = new Date()): Promise<Signer> {
  try {
    return await readSigner(db, now)
  } catch (error) {
    if (!(error instanceof KeySealed)) throw error
    warnUnsigned(error)
    return null
  }
}

/** This process lacks what opens a key. */
class KeySealed extends Error {
  override name = 'KeySealed'
}

/** The keys that sign at this instant, the oldest first; makes the first one. Throws when they cannot be opened or made. */
export async function readSigner(db: Queryable, now: Date): Promise<NonNullable<Signer>> {
  const catalog = await readCatalogId(db)
  if ((await storedKeys(db)).length === 0) await insertKey(db, newFeedKey(catalog, { now, by: [] }))
  const keys = await storedKeys(db)
  // A server that takes no writes keeps what a later one deletes.
  await dropEndedSecrets(db, keys, now).catch(() => {})
  return { catalog, keys: signingKeys(db, keys, now) }
}

const warned = new Set<string>()

/** Says once in the life of the process why documents go without signatures. */
export function warnUnsigned(error: unknown): void {
  const { message } = error as Error
  if (warned.has(message)) return
  warned.add(message)
  process.emitWarning(`feeds, digests and snapshots go without signatures: ${message}`, 'CatalogWarning')
}

/**
 * Makes a new key, which the present ones endorse; they sign beside it for {@link KEY_OVERLAP_MS}. Throws when one of them
 * cannot be opened.
 */
export async function rotateFeedKey(store: Store, now: Date): Promise<FeedKeys> {
  return await store.transaction(async (tx) => {
    // Without the lock, of two rotations at once one would endorse a key that signs no more.
    await tx.query(`lock table feed_keys in share row exclusive mode`)
    const keys = await storedKeys(tx)
    await dropEndedSecrets(tx, keys, now)
    const made = newFeedKey(await readCatalogId(tx), { now, by: signingKeys(tx, keys, now) })
    await tx.query(`update feed_keys set signs_until = $1 where signs_until is null`, [
      instant(new Date(now.getTime() + KEY_OVERLAP_MS)),
    ])
    await insertKey(tx, made)
    return await readFeedKeys(tx)
  })
}

/** Names the row of a sealed secret. */
export const feedKeyPlace = (id: string) => `feed_keys ${id}`

type StoredKey = FeedKey & { readonly secret: string | null }

async function storedKeys(db: Queryable): Promise<StoredKey[]> {
  const rows = await db.query<StoredKey>(
    `select key_id as id, public_key, created_at, signs_until, endorsements, secret from feed_keys
      order by created_at, key_id`,
  )
  // jsonb does not keep the order of members, and keys.json must be the same from every process.
  return rows.map(({ endorsements, ...row }) => ({
    ...row,
    endorsements: endorsements.map(({ key, signature }): Signature => ({ key, signature })),
  }))
}

function newFeedKey(catalog: string, { now, by }: { now: Date; by: readonly SigningKey[] }): StoredKey {
  const { id, publicKey, secret } = newKeyPair()
  const key = { id, public_key: publicKey, created_at: instant(now) }
  return { ...key, signs_until: null, endorsements: endorsementsOf(by, { catalog, key }), secret }
}

/** Adds the key unless there is a present one. */
async function insertKey(db: Queryable, key: StoredKey): Promise<void> {
  await db.query(
    `insert into feed_keys (key_id, public_key, secret, created_at, signs_until, endorsements)
     values ($1, $2, $3, $4, null, $5::jsonb) on conflict do nothing`,
    [
      key.id,
      key.public_key,
      seal(db.sealing, key.secret as string, feedKeyPlace(key.id)),
      key.created_at,
      JSON.stringify(key.endorsements),
    ],
  )
}

function signingKeys(db: Queryable, keys: readonly StoredKey[], now: Date): SigningKey[] {
  return keys.flatMap(({ id, public_key: publicKey, secret, signs_until }) => {
    if (secret === null || hasEnded(signs_until, now)) return []
    return [signingKeyOf({ id, publicKey, secret: opened(db, id, secret) })]
  })
}

function opened({ sealing }: Queryable, id: string, secret: string): string {
  try {
    return unseal(sealing, secret, feedKeyPlace(id))
  } catch (cause) {
    throw new KeySealed((cause as Error).message, { cause })
  }
}

const hasEnded = (until: string | null, now: Date) => until !== null && Date.parse(until) <= now.getTime()

async function dropEndedSecrets(db: Queryable, keys: readonly StoredKey[], now: Date): Promise<void> {
  const ended = keys.filter(({ secret, signs_until }) => secret !== null && hasEnded(signs_until, now))
  if (ended.length === 0) return
  await db.query(`update feed_keys set secret = null where key_id = any($1::text[])`, [ended.map(({ id }) => id)])
}
