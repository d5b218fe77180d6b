import { bucketHashes, rootOf, sha256Bytes } from '@catalog/core/digest.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SCOPES } from './protocol.ts'
import { type DigestItem, ScopeDigests } from './scope-digests.ts'

const catalogs = fc
  .uniqueArray(
    fc.record({
      id: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })),
      state: fc.string(),
      regions: fc.subarray([...REGIONS]),
    }),
    { selector: ({ id }) => id, maxLength: 60 },
  )
  .map((items) => items.map(({ id, state, regions }): DigestItem => ({ id, sha: sha256Bytes(state), regions })))

const byBytes = (a: DigestItem, b: DigestItem) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))

function digestsOf(items: readonly DigestItem[]) {
  const digests = new ScopeDigests()
  for (const item of items.toSorted(byBytes)) digests.add(item)
  return digests.finish()
}

test('one pass gives each scope the hashes of the items that name it', () => {
  fc.assert(
    fc.property(catalogs, (items) => {
      const digests = digestsOf(items)
      expect(digests.map(({ scope }) => scope)).toEqual(SCOPES)
      expect(digests.every(({ buckets }) => buckets.length === 256)).toBe(true)
      for (const { scope, count, buckets, stateRoot } of digests) {
        const present = items.filter(({ regions }) => scope === 'items' || regions.includes(scope.slice(7)))
        const expected = bucketHashes(present)
        expect(count).toBe(present.length)
        expect(Buffer.concat(buckets).equals(Buffer.concat(expected))).toBe(true)
        expect(stateRoot).toBe(rootOf(expected))
      }
    }),
    // Each run hashes 13 times 256 buckets.
    { numRuns: 40 },
  )
})

test('a scope without items has the root of 256 empty buckets', () => {
  const empty = rootOf(Array.from({ length: 256 }, () => sha256Bytes()))
  expect(new Set(digestsOf([]).map(({ stateRoot }) => stateRoot))).toEqual(new Set([empty]))
})

test.each([
  ['comes twice', 'ci_b', 'ci_b'],
  ['descends', 'ci_b', 'ci_a'],
  ['descends in bytes, though not in the order of JavaScript', '\u{1f600}', '\uffee'],
])('refuses an id that %s', (_what, first, second) => {
  const digests = new ScopeDigests()
  digests.add({ id: first, sha: sha256Bytes('1'), regions: [] })
  expect(() => digests.add({ id: second, sha: sha256Bytes('2'), regions: [] })).toThrow(RangeError)
})

test('an item of a region without a feed counts in the scope of all items only', () => {
  const [all, ...regions] = digestsOf([{ id: 'ci_a', sha: sha256Bytes('1'), regions: ['ZZ'] }])
  expect(all?.count).toBe(1)
  expect(regions.map(({ count }) => count)).toEqual(regions.map(() => 0))
})
