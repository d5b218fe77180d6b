import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { PROTOCOL } from './protocol.ts'

/**
 * Signatures of protocol ccm/1 (docs/mirror-protocol.md, "Signatures"): Ed25519 (RFC 8032) over the canonical JSON of a
 * document. They prove which catalog a document comes from, by whatever way it came.
 */

/** What a signature is about, so that none of one kind passes as another. `key`: an endorsement of a key. */
export type SignedKind = 'state' | 'digest' | 'manifest' | 'key'

/** A signature in base64url, and the id of its key. */
export type Signature = Readonly<{ key: string; signature: string }>

/** What a signed document carries: the id of its catalog, and its signatures. */
export type Signed = Readonly<{ catalog: string; signatures: readonly Signature[] }>

/** A key that signs. */
export type SigningKey = Readonly<{ id: string; privateKey: KeyObject }>

/** The catalog and the keys that sign for it at present; null where nothing is signed. */
export type Signer = Readonly<{ catalog: string; keys: readonly SigningKey[] }> | null

/** A public key of a catalog with its history, as keys.json lists it. */
export type FeedKey = Readonly<{
  /** {@link keyIdOf} of the public key. */
  id: string
  /** 32 bytes in base64url. */
  public_key: string
  created_at: string
  /** The instant from which it signs no more; null for the present key. */
  signs_until: string | null
  /** Signatures of kind `key` by keys before it. */
  endorsements: readonly Signature[]
}>

/** Every key that ever signed for a catalog: old keys verify old archives. */
export type FeedKeys = Readonly<{ catalog: string; keys: readonly FeedKey[] }>

/** A document as parsed JSON. */
export type JsonDocument = Readonly<Record<string, JsonValue | undefined>>

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const KEY_ID_CHARS = 32
/** A static tree adds `mirror`, and signatures do not sign themselves. */
const UNSIGNED_MEMBERS = ['signatures', 'mirror']

/** The bytes that a signature of this kind is about. Throws TypeError on values that canonical JSON cannot carry. */
export function signedBytes(kind: SignedKind, document: JsonDocument): Buffer {
  const members = Object.entries(document).filter(([name]) => !UNSIGNED_MEMBERS.includes(name))
  return Buffer.from(`${PROTOCOL}\0${kind}\0${canonicalJson(Object.fromEntries(members))}`)
}

/** The catalog's id and the signatures of all keys, for a document that lacks them; nothing without a signer. */
export function signedBy(signer: Signer, kind: SignedKind, document: JsonDocument): Partial<Signed> {
  if (signer === null) return {}
  const { catalog, keys } = signer
  return { catalog, signatures: signaturesOf(keys, kind, { ...document, catalog }) }
}

/** One signature of each key. Equal keys and documents give equal signatures. */
export function signaturesOf(keys: readonly SigningKey[], kind: SignedKind, document: JsonDocument): Signature[] {
  const bytes = signedBytes(kind, document)
  return keys.map(({ id, privateKey }) => ({ key: id, signature: sign(null, bytes, privateKey).toString('base64url') }))
}

/** Whether the signature is that of the public key over this document. */
export function isSignedBy(
  publicKey: string,
  { kind, document, signature }: { kind: SignedKind; document: JsonDocument; signature: string },
): boolean {
  const bytes = bytesOf(signature, SIGNATURE_BYTES)
  const key = publicKeyOf(publicKey)
  return bytes !== undefined && key !== undefined && verify(null, signedBytes(kind, document), key, bytes)
}

/** The id of a public key: the first 32 hex digits of the SHA-256 of its bytes. Undefined for any other text. */
export function keyIdOf(publicKey: string): string | undefined {
  const bytes = bytesOf(publicKey, KEY_BYTES)
  return bytes && sha256Hex(bytes).slice(0, KEY_ID_CHARS)
}

/** A new pair. The secret is the seed, 32 bytes in base64url. */
export function newKeyPair(): { id: string; publicKey: string; secret: string } {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  return { id: keyIdOf(x) as string, publicKey: x, secret: d }
}

/** The key that signs, from its pair. Throws for a secret that is no seed. */
export function signingKeyOf({ id, publicKey, secret }: ReturnType<typeof newKeyPair>): SigningKey {
  return { id, privateKey: createPrivateKey({ key: { ...CURVE, x: publicKey, d: secret }, format: 'jwk' }) }
}

/** The signatures by which keys that sign already vouch for another key of their catalog. */
export function endorsementsOf(
  keys: readonly SigningKey[],
  { catalog, key }: { catalog: string; key: Pick<FeedKey, 'id' | 'public_key' | 'created_at'> },
): Signature[] {
  return signaturesOf(keys, 'key', endorsed(catalog, key))
}

/**
 * The keys to trust, by id: those named that are there, and all that a trusted one endorsed, directly or by others. Leaves out
 * a key whose id is not that of its bytes. Reads each endorsement at most once.
 */
export function trustedKeys({ catalog, keys }: FeedKeys, named: Iterable<string>): Map<string, FeedKey> {
  const known = new Map(keys.filter((key) => keyIdOf(key.public_key) === key.id).map((key) => [key.id, key]))
  const trusted = new Map<string, FeedKey>()
  const waiting = [...named]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const by = known.get(id)
    if (by === undefined || trusted.has(id)) continue
    trusted.set(id, by)
    for (const key of known.values()) {
      if (!trusted.has(key.id) && isEndorsed(catalog, key, by)) waiting.push(key.id)
    }
  }
  return trusted
}

const isEndorsed = (catalog: string, key: FeedKey, by: FeedKey) =>
  key.endorsements.some(
    ({ key: id, signature }) =>
      id === by.id && isSignedBy(by.public_key, { kind: 'key', document: endorsed(catalog, key), signature }),
  )

const endorsed = (
  catalog: string,
  { id, public_key, created_at }: Pick<FeedKey, 'id' | 'public_key' | 'created_at'>,
) => ({ catalog, created_at, id, public_key })

/** The document keys.json. */
export const keysJson = ({ catalog, keys }: FeedKeys): string => JSON.stringify({ protocol: PROTOCOL, catalog, keys })

const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const

function publicKeyOf(publicKey: string): KeyObject | undefined {
  if (bytesOf(publicKey, KEY_BYTES) === undefined) return undefined
  return createPublicKey({ key: { ...CURVE, x: publicKey }, format: 'jwk' })
}

/** So many bytes of base64url; undefined for any other text, also one that only another spelling of them is. */
function bytesOf(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : undefined
}
