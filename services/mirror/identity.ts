import {
  type FeedKeys,
  isSignedBy,
  type JsonDocument,
  keyIdOf,
  type Signature,
  trustedKeys,
} from '@catalog/core/changes/signature.ts'
import { z } from 'zod'
import { MirrorError } from './mirror-error.ts'
import type { FoundState } from './origin.ts'
import { checked, jsonOf, NAME, SIGNATURES, TEXT } from './origin-state.ts'

/**
 * Whose copy this is: the catalog and the keys that a copy keeps from its first contact on, and what it takes from nobody else
 * (docs/mirror-protocol.md, "Signatures").
 */

/** What a copy keeps of its catalog. */
export type Identity = Readonly<{
  catalog: string
  /** Public keys that the copy trusts, by id. */
  keys: ReadonlyMap<string, string>
  /** The trusted keys that signed the last state.json. */
  signedBy: readonly string[]
  /** The newest state.json that was taken, and until when it was valid. */
  generatedAt: string
  validUntil: string
}>

/** A later generation of a known catalog with a smaller share of the copy's items is held until a person accepts it. */
const KEPT_SHARE_MIN = 0.9
/** Keys of one catalog: a rotation each month for 80 years. */
const KEYS_MAX = 1_000

const refused = (message: string, cause?: unknown) => new MirrorError(message, { kind: 'refused', cause })

export type IdentityCheck = Readonly<{
  state: FoundState
  /** Address of state.json, for errors. */
  url: string
  known: Identity | null
  /** Ids of the keys that a person named; they take the place of those that the copy keeps. */
  named: readonly string[]
  now: Date
  read: (address: string) => Promise<Uint8Array>
}>

/**
 * The identity that a state.json proves; null for one without signatures from an origin of which nothing is known. Throws a
 * refusal for a state.json that is not proved to be the known catalog's, or of an instant that has passed.
 */
export async function checkIdentity(check: IdentityCheck): Promise<Identity | null> {
  const { state, url, known, named, now } = check
  const { identity } = state
  if (identity === null) {
    if (known === null && named.length === 0) return null
    throw refused(`${url}: signatures: expected one by ${keyList(rootsOf(check))}, found none`)
  }
  const { catalog, generatedAt, validUntil } = identity
  if (known !== null && catalog !== known.catalog)
    throw refused(`${url}: catalog: expected ${known.catalog}, of which the copy is, found ${catalog}`)
  const { keys, signedBy } = await provedKeys(check, identity)
  requireValid(validUntil, { now, url })
  if (known !== null && Date.parse(generatedAt) < Date.parse(known.generatedAt))
    throw refused(`${url}: generated_at: expected ${known.generatedAt} or later, found ${generatedAt}: it is outdated`)
  return { catalog, keys, signedBy, generatedAt, validUntil }
}

/** Throws when the last state.json of a copy, which is said to be unchanged, is valid no more. */
export function requireValid(validUntil: string, { now, url }: { now: Date; url: string }): void {
  if (Date.parse(validUntil) > now.getTime()) return
  const present = now.toISOString()
  throw refused(`${url}: valid_until: expected a later instant than ${present}, found ${validUntil}: it was stopped`)
}

/** Throws when a later generation would replace the copy by fewer items than it may without a person's word. */
export function requireKept({
  scope,
  gen,
  held,
  found,
  isProved,
  accepted,
}: {
  scope: string
  gen: string
  /** Items of the copy, and of the later generation. */
  held: number
  found: number
  /** Whether the origin proved to be the catalog that the copy is of. */
  isProved: boolean
  /** The generation that a person accepted. */
  accepted: string | undefined
}): void {
  const least = isProved ? Math.ceil(held * KEPT_SHARE_MIN) : held
  if (found >= least || gen === accepted) return
  throw refused(
    `${scope}: generation ${gen} has ${found} items, expected at least ${least}, since the copy has ${held}: it stays as it is; ` +
      `if the origin is right, run again with --accept-generation ${gen}`,
  )
}

type Found = NonNullable<FoundState['identity']>

const rootsOf = ({ known, named }: Pick<IdentityCheck, 'known' | 'named'>) =>
  named.length > 0 ? named : [...(known?.keys.keys() ?? [])]

const keyList = (ids: readonly string[]) => ids.join(' or ')

/** The keys to trust, and those of them that signed; throws when none did, or the signature of one is wrong. */
async function provedKeys(
  check: IdentityCheck,
  { catalog, keysUrl, signatures }: Found,
): Promise<Pick<Identity, 'keys' | 'signedBy'>> {
  const { state, url, known } = check
  const document = jsonOf(state.bytes, url) as JsonDocument
  const roots = rootsOf(check)
  const held = new Map([...(known?.keys ?? [])].filter(([id]) => roots.includes(id)))
  let trusted: ReadonlyMap<string, string> = held
  if (!signatures.some(({ key }) => trusted.has(key))) {
    const listed = await readKeys(check, { catalog, keysUrl })
    // At the first contact the keys that sign are those to keep.
    const from = roots.length > 0 ? roots : signatures.map(({ key }) => key)
    const found = [...trustedKeys(withHeld(listed, held), from)]
    trusted = new Map([...held, ...found.map(([id, { public_key }]) => [id, public_key] as const)])
  }
  const ours = signatures.filter(({ key }) => trusted.has(key))
  const wrong = ours.find((signature) => !holds(document, trusted, signature))
  if (wrong !== undefined) throw refused(`${url}: the signature by key ${wrong.key} is not over these bytes`)
  if (ours.length === 0) {
    const expected = roots.length === 0 ? 'a key that keys.json lists' : `${keyList(roots)}, or a key that it endorsed`
    throw refused(`${url}: signatures: expected one by ${expected}, found ${keyList(signatures.map(({ key }) => key))}`)
  }
  return { keys: trusted, signedBy: ours.map(({ key }) => key) }
}

function holds(document: JsonDocument, keys: ReadonlyMap<string, string>, { key, signature }: Signature): boolean {
  try {
    return isSignedBy(keys.get(key) as string, { kind: 'state', document, signature })
  } catch {
    // Deeper than the stack, or with text that canonical JSON cannot carry.
    return false
  }
}

/** A key that the copy keeps counts as it was then, also where the list lacks it. */
function withHeld({ catalog, keys }: FeedKeys, held: ReadonlyMap<string, string>): FeedKeys {
  const missing = [...held].filter(([id]) => !keys.some((key) => key.id === id))
  return { catalog, keys: [...keys, ...missing.map(([id, public_key]) => ({ ...NOTHING_SAID, id, public_key }))] }
}
const NOTHING_SAID = { created_at: '', signs_until: null, endorsements: [] }

async function readKeys(
  { read }: IdentityCheck,
  { catalog, keysUrl }: Pick<Found, 'catalog' | 'keysUrl'>,
): Promise<FeedKeys> {
  const keys = keysIn(await read(keysUrl), keysUrl)
  if (keys.catalog !== catalog) throw refused(`${keysUrl}: catalog: expected ${catalog}, found ${keys.catalog}`)
  return keys
}

/** The document keys.json. Throws a contradiction that names the member. */
export const keysIn = (bytes: Uint8Array, url: string): FeedKeys =>
  checked(jsonOf(bytes, url), { schema: KEYS, place: url })

const KEY = z
  .object({ id: TEXT, public_key: TEXT, created_at: TEXT, endorsements: SIGNATURES }, 'an object')
  .refine(({ id, public_key }) => keyIdOf(public_key) === id, { path: ['id'], error: 'that of its public key' })
  .transform((key) => ({ ...key, signs_until: null }))
const KEYS = z.object({ catalog: NAME, keys: z.array(KEY, 'a list').max(KEYS_MAX, `at most ${KEYS_MAX}`) }, 'an object')
