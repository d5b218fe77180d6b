import { createPrivateKey, sign } from 'node:crypto'
import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  endorsementsOf,
  type FeedKey,
  isSignedBy,
  type JsonDocument,
  keyIdOf,
  newKeyPair,
  type SignedKind,
  signaturesOf,
  signedBy,
  signedBytes,
  signingKeyOf,
  trustedKeys,
} from './signature.ts'

const [pair, stranger] = [newKeyPair(), newKeyPair()]
const signOne = (kind: SignedKind, document: JsonDocument, by = pair) =>
  signaturesOf([signingKeyOf(by)], kind, document)[0]?.signature as string
const kinds = ['state', 'digest', 'manifest', 'key'] as const
const member = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null))
const document = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => !['signatures', 'mirror'].includes(name)),
  fc.oneof(member, fc.array(member), fc.dictionary(fc.string(), member, { noNullPrototype: true })),
  { noNullPrototype: true },
) as fc.Arbitrary<JsonDocument>

describe('a signature', () => {
  test('holds for the document in any order of its members, and for no other bytes, kind or key', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(...kinds), fc.nat(), (given, kind, at) => {
        const signature = signOne(kind, given)
        const reordered = Object.fromEntries(Object.entries(given).reverse())
        expect(isSignedBy(pair.publicKey, { kind, document: reordered, signature })).toBe(true)
        expect(isSignedBy(stranger.publicKey, { kind, document: given, signature })).toBe(false)
        for (const other of kinds.filter((other) => other !== kind))
          expect(isSignedBy(pair.publicKey, { kind: other, document: given, signature })).toBe(false)
        const place = at % signature.length
        const letter = signature[place] === 'A' ? 'B' : 'A'
        const changed = signature.slice(0, place) + letter + signature.slice(place + 1)
        expect(isSignedBy(pair.publicKey, { kind, document: given, signature: changed })).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  test('fails for a document with any member more, less or changed', () => {
    fc.assert(
      fc.property(document, document, (signed, other) => {
        const isSame = canonicalJson(signed as JsonValue) === canonicalJson(other as JsonValue)
        const holds = isSignedBy(pair.publicKey, {
          kind: 'state',
          document: other,
          signature: signOne('state', signed),
        })
        expect(holds).toBe(isSame)
      }),
      { numRuns: 60 },
    )
  })

  test('covers neither itself nor what a static tree adds', () => {
    const signed = signedBy({ catalog: 'c', keys: [signingKeyOf(pair)] }, 'state', { gen: 'g' })
    const signature = signed.signatures?.[0]?.signature as string
    const copied: JsonDocument = { gen: 'g', mirror: { scopes: ['items'] }, ...signed }
    expect(isSignedBy(pair.publicKey, { kind: 'state', document: copied, signature })).toBe(true)
    const others = { ...copied, catalog: 'd' }
    expect(isSignedBy(pair.publicKey, { kind: 'state', document: others, signature })).toBe(false)
  })

  test.each(['', 'AAAA', `${'A'.repeat(85)}B`, '!'.repeat(86)])('is refused where it is no signature: %j', (text) => {
    expect(isSignedBy(pair.publicKey, { kind: 'state', document: {}, signature: text })).toBe(false)
    expect(isSignedBy(text, { kind: 'state', document: {}, signature: signOne('state', {}) })).toBe(false)
  })

  test('signs exactly the protocol, the kind and the canonical JSON', () => {
    expect(signedBytes('digest', { b: 1, a: 'é', mirror: 2, signatures: [] }).toString()).toBe(
      'ccm/1\0digest\0{"a":"é","b":1}',
    )
  })
})

test.each([
  // RFC 8032 §7.1: seed, public key, message, signature.
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
])('keys are those of RFC 8032: %s', (seed, publicHex, message, signature) => {
  const text = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
  const key = signingKeyOf({ id: 'k', publicKey: text(publicHex), secret: text(seed) })
  expect(sign(null, Buffer.from(message, 'hex'), key.privateKey).toString('hex')).toBe(signature)
  const jwk = createPrivateKey(key.privateKey.export({ format: 'pem', type: 'pkcs8' })).export({ format: 'jwk' })
  expect(jwk.x).toBe(text(publicHex))
  expect(keyIdOf(text(publicHex))).toMatch(/^[0-9a-f]{32}$/)
})

describe('trust', () => {
  const catalog = 'c'.repeat(32)
  /** Each key is endorsed by the one before it. */
  function rotated(count: number): { pairs: ReturnType<typeof newKeyPair>[]; keys: FeedKey[] } {
    const pairs = Array.from({ length: count }, newKeyPair)
    const keys = pairs.map(({ id, publicKey: public_key }, i): FeedKey => {
      const key = { id, public_key, created_at: `2026-01-0${i + 1}T00:00:00Z`, signs_until: null }
      const before = pairs[i - 1]
      const endorsements = before === undefined ? [] : endorsementsOf([signingKeyOf(before)], { catalog, key })
      return { ...key, endorsements }
    })
    return { pairs, keys }
  }
  const idsOf = (keys: readonly FeedKey[]) => keys.map(({ id }) => id).sort()

  test('passes from a key to all that follow it, in any order of the list, and to none before it', () => {
    const { keys } = rotated(5)
    const trusted = trustedKeys({ catalog, keys: keys.toReversed() }, [keys[2]?.id as string])
    expect([...trusted.keys()].sort()).toEqual(idsOf(keys.slice(2)))
  })

  test('ends at a link that is missing', () => {
    const { keys } = rotated(4)
    const without = keys.filter((_, i) => i !== 1)
    expect([...trustedKeys({ catalog, keys: without }, [keys[0]?.id as string]).keys()]).toEqual([keys[0]?.id])
  })

  test.each<[string, (key: FeedKey, first: ReturnType<typeof newKeyPair>) => FeedKey]>([
    ['by another key', (key) => ({ ...key, endorsements: endorsementsOf([signingKeyOf(stranger)], { catalog, key }) })],
    [
      'in the name of a trusted key',
      (key, { id }) => {
        const forged = endorsementsOf([signingKeyOf(stranger)], { catalog, key })
        return { ...key, endorsements: forged.map(({ signature }) => ({ key: id, signature })) }
      },
    ],
    ['for another catalog', (key, first) => endorsedIn('d'.repeat(32), key, first)],
    ['for another instant', (key) => ({ ...key, created_at: '2027-01-01T00:00:00Z' })],
    ['for another public key', (key) => ({ ...key, public_key: stranger.publicKey })],
    ['for another public key and its id', (key) => ({ ...key, id: stranger.id, public_key: stranger.publicKey })],
    ['of another kind', (key, first) => ({ ...key, endorsements: signaturesOf([signingKeyOf(first)], 'state', key) })],
  ])('is not won by an endorsement %s', (_what, forge) => {
    const { pairs, keys } = rotated(2)
    const [first, second] = keys as [FeedKey, FeedKey]
    const forged = forge(second, pairs[0] as ReturnType<typeof newKeyPair>)
    expect([...trustedKeys({ catalog, keys: [first, forged] }, [first.id]).keys()]).toEqual([first.id])
  })

  test('is not won by a key that names the id of a trusted one', () => {
    const { keys } = rotated(1)
    const [first] = keys as [FeedKey]
    expect(trustedKeys({ catalog, keys: [{ ...first, public_key: stranger.publicKey }] }, [first.id]).size).toBe(0)
  })

  function endorsedIn(other: string, key: FeedKey, by: ReturnType<typeof newKeyPair>): FeedKey {
    return { ...key, endorsements: endorsementsOf([signingKeyOf(by)], { catalog: other, key }) }
  }
})
