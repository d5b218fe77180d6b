import { randomBytes } from 'node:crypto'
import { claimMeta } from '@catalog/store/checkpoints.ts'
import type { Queryable, Store } from '@catalog/store/db.ts'
import { feedKeyPlace } from '@catalog/store/feed-keys.ts'
import { isSealed, seal, unseal } from '@catalog/store/sealing.ts'
import { factorPlace } from './second-factors.ts'

/** Secrets that the database keeps: where they lie, and their way into it and out. */

/** Facts of the database that are secrets. */
const META_SECRETS = ['address_secret', 'oauth_cookie_secret']

/** 256 random bits, hex, under a name; the first caller creates them. */
export async function claimSecret(db: Queryable, name: 'address_secret' | 'oauth_cookie_secret'): Promise<string> {
  const made = seal(db.sealing, randomBytes(32).toString('hex'), metaPlace(name))
  return unseal(db.sealing, await claimMeta(db, name, made), metaPlace(name))
}

const metaPlace = (name: string) => `meta ${name}`
const keyPlace = (kid: string) => `oauth_keys ${kid}`
const clientPlace = (id: string) => `client ${id}`

type Stored = Readonly<{ place: string; stored: string; replace: (by: string) => Promise<unknown> }>

type Json = Readonly<Record<string, unknown>>

/** A private signing key as jsonb keeps it: sealed as a whole. */
export function sealedKey({ sealing }: Queryable, kid: string, jwk: object): object {
  const text = JSON.stringify(jwk)
  const sealed = seal(sealing, text, keyPlace(kid))
  return sealed === text ? jwk : { sealed }
}

export function unsealedKey({ sealing }: Queryable, kid: string, jwk: Json): Json {
  return typeof jwk.sealed === 'string' ? JSON.parse(unseal(sealing, jwk.sealed, keyPlace(kid))) : jwk
}

/** The metadata of a client with its secret, where it has one, sealed. */
export function sealedClient<C extends Json>({ sealing }: Queryable, id: string, client: C): C {
  const { client_secret: secret } = client
  return typeof secret === 'string' ? { ...client, client_secret: seal(sealing, secret, clientPlace(id)) } : client
}

export function unsealedClient<C extends Json>({ sealing }: Queryable, id: string, client: C): C {
  const { client_secret: secret } = client
  return typeof secret === 'string' ? { ...client, client_secret: unseal(sealing, secret, clientPlace(id)) } : client
}

/**
 * Seals every secret that lies in clear or under a former key; returns how many. Changes nothing without a key. Throws when
 * a secret does not open.
 */
export async function sealSecrets(store: Store): Promise<number> {
  const { sealing } = store
  let sealed = 0
  for (const { place, stored, replace } of await storedSecrets(store)) {
    const secret = unseal(sealing, stored, place)
    if (sealing === undefined || sealing.keys.length === 0 || isSealed(sealing, stored)) continue
    await replace(seal(sealing, secret, place))
    sealed++
  }
  return sealed
}

/** How many secrets the database keeps, and how many of them the present key sealed. Throws when one does not open. */
export async function countSecrets(store: Store): Promise<{ all: number; sealed: number }> {
  const secrets = await storedSecrets(store)
  for (const { place, stored } of secrets) unseal(store.sealing, stored, place)
  return { all: secrets.length, sealed: secrets.filter(({ stored }) => isSealed(store.sealing, stored)).length }
}

/** Each replaces its text only while nobody else has. */
async function storedSecrets(store: Store): Promise<Stored[]> {
  const facts = await store.query<{ key: string; value: string }>(
    `select key, value from meta where key = any($1::text[]) order by key`,
    [META_SECRETS],
  )
  const keys = await store.query<{ kid: string; jwk: Json; text: string }>(
    `select kid, jwk, jwk::text as text from oauth_keys order by kid`,
  )
  const clients = await store.query<{ id: string; secret: string }>(
    `select id, payload->>'client_secret' as secret from oauth_payloads
      where model = 'Client' and payload ? 'client_secret' order by id`,
  )
  const factors = await store.query<{ id: string; secret: string }>(
    `select user_id as id, secret from second_factors order by user_id`,
  )
  const feedKeys = await store.query<{ id: string; secret: string }>(
    `select key_id as id, secret from feed_keys where secret is not null order by key_id`,
  )
  return [
    ...feedKeys.map(({ id, secret }) => ({
      place: feedKeyPlace(id),
      stored: secret,
      replace: (by: string) =>
        store.query(`update feed_keys set secret = $3 where key_id = $1 and secret = $2`, [id, secret, by]),
    })),
    ...factors.map(({ id, secret }) => ({
      place: factorPlace(id),
      stored: secret,
      replace: (by: string) =>
        store.query(`update second_factors set secret = $3 where user_id = $1 and secret = $2`, [id, secret, by]),
    })),
    ...facts.map(({ key, value }) => ({
      place: metaPlace(key),
      stored: value,
      replace: (by: string) =>
        store.query(`update meta set value = $3 where key = $1 and value = $2`, [key, value, by]),
    })),
    ...keys.map(({ kid, jwk, text }) => ({
      place: keyPlace(kid),
      stored: typeof jwk.sealed === 'string' ? jwk.sealed : JSON.stringify(jwk),
      replace: (by: string) =>
        store.query(
          `update oauth_keys set jwk = jsonb_build_object('sealed', $3::text) where kid = $1 and jwk = $2::jsonb`,
          [kid, text, by],
        ),
    })),
    ...clients.map(({ id, secret }) => ({
      place: clientPlace(id),
      stored: secret,
      replace: (by: string) =>
        store.query(
          `update oauth_payloads set payload = jsonb_set(payload, '{client_secret}', to_jsonb($3::text))
            where model = 'Client' and id = $1 and payload->>'client_secret' = $2`,
          [id, secret, by],
        ),
    })),
  ]
}
