import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { chainStart, GEN, hexOf, type Subject, type Vector } from './model.ts'

/** Vectors of signatures. The keys are the published tests of RFC 8032, section 7.1: nobody may trust them. */

export type TestKey = Readonly<{ id: string; publicKey: string; privateKey: KeyObject }>

/** Before the seed of 32 bytes in PKCS #8. */
const PKCS8 = '302e020100300506032b657004220420'
function testKey(seed: string): TestKey {
  const der = Buffer.from(PKCS8 + seed, 'hex')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { id: hexOf(raw).slice(0, 32), publicKey: raw.toString('base64url'), privateKey }
}
export const [ALPHA, BETA, GAMMA] = [
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
].map(testKey) as [TestKey, TestKey, TestKey]
/** No key of RFC 8032: one that an impostor made. */
const IMPOSTOR = testKey('00'.repeat(32))

// Raw signatures

const RFC8032 = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
] as const
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
/** The same signature with a factor beyond the order of the curve, which RFC 8032 refuses. */
function malleable(signature: string): string {
  const bytes = Buffer.from(signature, 'hex')
  let factor = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + ORDER
  for (let at = 32; at < 64; at++, factor >>= 8n) bytes[at] = Number(factor & 255n)
  return bytes.toString('hex')
}
const [PUBLIC, MESSAGE, SIGNATURE] = RFC8032[1]
const raw = (name: string, valid: boolean, publicKey: string, message: string, signature: string): Vector => ({
  name,
  input: { public_key: publicKey, message, signature },
  expected: { valid },
})

const ED25519: Subject = {
  subject: 'ed25519',
  about: 'Ed25519 (RFC 8032), all values as hex, for implementations without a library.',
  answer: '{ "valid": BOOLEAN }',
  vectors: [
    ...RFC8032.map(([publicKey, message, signature], i) =>
      raw(`test ${i + 1} of RFC 8032`, true, publicKey, message, signature),
    ),
    raw('another message', false, PUBLIC, '73', SIGNATURE),
    raw('another key', false, RFC8032[0][0], MESSAGE, SIGNATURE),
    raw('a factor beyond the order', false, PUBLIC, MESSAGE, malleable(SIGNATURE)),
    raw('a signature that is too short', false, PUBLIC, MESSAGE, SIGNATURE.slice(0, -2)),
  ],
}

// Documents

type Members = Readonly<Record<string, unknown>>
/** Canonical JSON of documents whose names and texts are plain, which is all that these vectors have. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)}}`
}
const signatureBy = (
  { id, privateKey }: TestKey,
  kind: string,
  { signatures: _s, mirror: _m, ...members }: Members,
) => ({
  key: id,
  signature: sign(null, Buffer.from(`ccm/1\u0000${kind}\u0000${canonical(members)}`), privateKey).toString('base64url'),
})
/** The document with the signatures of these keys. */
export const signed = (kind: string, document: Members, keys: readonly TestKey[]): Members => ({
  ...document,
  signatures: keys.map((key) => signatureBy(key, kind, document)),
})

export const CATALOG = 'cat-of-vectors'
const CREATED = '2026-01-01T00:00:00Z'
const STATE = {
  protocol: 'ccm/1',
  gen: GEN,
  page_size: 5,
  updated: null,
  scopes: {
    items: {
      head: 0,
      chain: chainStart('items'),
      floor: 0,
      closed: 0,
      subscription: 'items.atom',
      archive: `archive/${GEN}/items/{page}.atom`,
    },
  },
  digest: null,
  snapshot: null,
  catalog: CATALOG,
  generated_at: '2026-01-05T02:00:00Z',
  valid_until: '2026-01-07T02:00:00Z',
  keys: 'keys.json',
}
const known = (...keys: readonly TestKey[]) => Object.fromEntries(keys.map(({ id, publicKey }) => [id, publicKey]))
const text = JSON.stringify
const SIGNED = signed('state', STATE, [ALPHA])
const [bySignature] = SIGNED.signatures as { key: string; signature: string }[]
const withSignature = (more: object) => text({ ...SIGNED, signatures: [{ ...bySignature, ...more }] })

const verifies = (
  name: string,
  kind: string,
  document: string,
  keys: readonly TestKey[],
  by: readonly TestKey[],
): Vector => {
  const input = { kind, text: document, public_keys: known(...keys) }
  if (by.length === 0) return { name, input, refused: 'no signature of a given key is right' }
  return { name, input, expected: { signed_by: by.map(({ id }) => id).sort() } }
}

const SIGNATURE_SUBJECT: Subject = {
  subject: 'signature',
  about:
    'The signatures of a document. Signed are the bytes of ccm/1, 0x00, the kind, 0x00, and the canonical JSON (RFC 8785) of the document ' +
    'without its members `signatures` and `mirror`. Keys and signatures are base64url without padding; the id of a key is the first 32 hex ' +
    'digits of the SHA-256 of its 32 bytes.',
  answer: '{ "signed_by": [KEY, ...] }: the given keys with a right signature, sorted',
  vectors: [
    verifies('state.json', 'state', text(SIGNED), [ALPHA], [ALPHA]),
    verifies(
      'members in another order, with white space',
      'state',
      JSON.stringify(Object.fromEntries(Object.entries(SIGNED).reverse()), null, 2),
      [ALPHA],
      [ALPHA],
    ),
    verifies(
      'a static tree adds `mirror`, which is not signed',
      'state',
      text({ ...SIGNED, mirror: { scopes: ['items'] } }),
      [ALPHA],
      [ALPHA],
    ),
    verifies(
      'an unknown member is signed',
      'state',
      text(signed('state', { ...STATE, later: [1, { b: 2, a: 1 }] }, [ALPHA])),
      [ALPHA],
      [ALPHA],
    ),
    verifies(
      'two keys',
      'digest',
      text(signed('digest', { protocol: 'ccm/1', gen: GEN, catalog: CATALOG }, [ALPHA, BETA])),
      [ALPHA, BETA],
      [ALPHA, BETA],
    ),
    verifies(
      'a key that is not known yet beside one that is',
      'manifest',
      text(signed('manifest', { protocol: 'ccm/1', seq: 1, catalog: CATALOG }, [ALPHA, BETA])),
      [BETA],
      [BETA],
    ),
    verifies('a member that was added later', 'state', text({ ...SIGNED, later: 1 }), [ALPHA], []),
    verifies('an altered digit', 'state', text({ ...SIGNED, page_size: 6 }), [ALPHA], []),
    verifies('another kind', 'digest', text(SIGNED), [ALPHA], []),
    verifies('another key', 'state', text(SIGNED), [BETA], []),
    verifies('a signature under the id of another key', 'state', withSignature({ key: BETA.id }), [ALPHA, BETA], []),
    verifies('a signature of no bytes', 'state', withSignature({ signature: '' }), [ALPHA], []),
    verifies('no signatures', 'state', text(STATE), [ALPHA], []),
  ],
}

// Keys

type Listed = Readonly<{ key: TestKey; by?: readonly TestKey[]; catalog?: string; more?: object }>
function keyEntry({ key, by = [], catalog = CATALOG, more = {} }: Listed) {
  const about = { id: key.id, public_key: key.publicKey, created_at: CREATED }
  const endorsements = by.map((other) => signatureBy(other, 'key', { ...about, catalog }))
  return { ...about, signs_until: null, endorsements, ...more }
}
export const keysText = (...listed: readonly Listed[]): string =>
  text({ protocol: 'ccm/1', catalog: CATALOG, keys: listed.map(keyEntry) })

const trusts = (name: string, from: readonly TestKey[], listed: readonly Listed[], to: readonly TestKey[]): Vector => ({
  name,
  input: { catalog: CATALOG, trusted: from.map(({ id }) => id), text: keysText(...listed) },
  expected: { trusted: to.map(({ id }) => id).sort() },
})
const CHAIN_OF_KEYS: readonly Listed[] = [{ key: ALPHA }, { key: BETA, by: [ALPHA] }, { key: GAMMA, by: [BETA] }]

const KEYS: Subject = {
  subject: 'keys',
  about:
    'Which keys of keys.json a client trusts that trusts some of them: those that a trusted key endorsed, and so on. An endorsement is a ' +
    'signature of kind `key` over { catalog, created_at, id, public_key }.',
  answer: '{ "trusted": [KEY, ...] }, sorted',
  vectors: [
    trusts('the pinned key alone', [ALPHA], [{ key: ALPHA }], [ALPHA]),
    trusts('a key, and the key that it endorsed', [ALPHA], CHAIN_OF_KEYS, [ALPHA, BETA, GAMMA]),
    trusts('the same in another order', [ALPHA], CHAIN_OF_KEYS.toReversed(), [ALPHA, BETA, GAMMA]),
    trusts('a key does not vouch for the one before it', [GAMMA], CHAIN_OF_KEYS, [GAMMA]),
    trusts(
      'an endorsement by a key that nobody trusts',
      [ALPHA],
      [{ key: ALPHA }, { key: IMPOSTOR }, { key: BETA, by: [IMPOSTOR] }],
      [ALPHA],
    ),
    trusts(
      'an endorsement for another catalog',
      [ALPHA],
      [{ key: ALPHA }, { key: BETA, by: [ALPHA], catalog: 'another' }],
      [ALPHA],
    ),
    trusts(
      'an endorsement of another date',
      [ALPHA],
      [{ key: ALPHA }, { key: BETA, by: [ALPHA], more: { created_at: '2026-02-01T00:00:00Z' } }],
      [ALPHA],
    ),
    trusts(
      'an endorsement that is not right',
      [ALPHA],
      [{ key: ALPHA }, { key: BETA, more: { endorsements: [{ key: ALPHA.id, signature: 'AAAA' }] } }],
      [ALPHA],
    ),
  ],
}

// Trust over time

const PINNED = { catalog: CATALOG, keys: known(ALPHA), generated_at: STATE.generated_at }
const NOW = '2026-01-06T00:00:00Z'
const KEYS_NOW = keysText(...CHAIN_OF_KEYS)
const stateBy = (keys: readonly TestKey[], more: Members = {}) => text(signed('state', { ...STATE, ...more }, keys))
const accepts = (name: string, state: string, given: Members, keys: readonly TestKey[] | string): Vector => {
  const input = { pinned: PINNED, now: NOW, text: state, keys: KEYS_NOW, ...given }
  return typeof keys === 'string'
    ? { name, input, refused: keys }
    : { name, input, expected: { keys: keys.map(({ id }) => id).sort() } }
}

const TRUST: Subject = {
  subject: 'trust',
  about:
    'Whether a client accepts a state.json at `now`. `pinned` is what it knows of the catalog (null at the first contact), `keys` the ' +
    'text of keys.json, which it reads when no pinned key signed.',
  answer:
    '{ "keys": [KEY, ...] }: the keys that it trusts afterwards and whose signatures are right, sorted; none for a catalog that never signed',
  vectors: [
    accepts('the first contact pins who signed', stateBy([ALPHA]), { pinned: null, keys: keysText({ key: ALPHA }) }, [
      ALPHA,
    ]),
    accepts('an origin that never signed', text(STATE), { pinned: null }, []),
    accepts('a pinned key', stateBy([ALPHA]), {}, [ALPHA]),
    accepts('a key that a pinned one endorsed', stateBy([BETA]), {}, [BETA]),
    accepts('a key that one in between endorsed', stateBy([GAMMA]), {}, [GAMMA]),
    accepts(
      'a static tree that holds fewer scopes',
      text({ ...signed('state', STATE, [ALPHA]), mirror: { scopes: ['items'] } }),
      {},
      [ALPHA],
    ),
    accepts('no signature where there was one', text(STATE), {}, 'whoever serves it took the signatures away'),
    accepts(
      'a key without an endorsement',
      stateBy([IMPOSTOR]),
      { keys: keysText(...CHAIN_OF_KEYS, { key: IMPOSTOR }) },
      'no trusted key vouches for it',
    ),
    accepts(
      'an altered state',
      stateBy([ALPHA]).replace('"page_size":5', '"page_size":6'),
      {},
      'the signature is of another document',
    ),
    accepts('another catalog', stateBy([ALPHA], { catalog: 'another' }), {}, 'the copy is of another catalog'),
    accepts(
      'an expired state: a frozen mirror',
      stateBy([ALPHA]),
      { now: '2026-01-07T02:00:01Z' },
      'valid_until is past',
    ),
    accepts(
      'a state before one that was seen',
      stateBy([ALPHA], { generated_at: '2026-01-05T01:00:00Z' }),
      {},
      'generated_at never goes back',
    ),
    accepts(
      'a wrong signature of a pinned key beside a right one',
      text({ ...SIGNED, signatures: [bySignature, { ...bySignature, key: BETA.id }] }),
      { pinned: { ...PINNED, keys: known(ALPHA, BETA) } },
      'every signature of a trusted key is right',
    ),
  ],
}

export const SIGNING: readonly Subject[] = [ED25519, SIGNATURE_SUBJECT, KEYS, TRUST]
