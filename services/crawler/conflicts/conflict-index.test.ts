import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConflictIndex } from './conflict-index.ts'

type Seen = Readonly<{ ref: number; product: number; price: number; offer?: number | undefined }>

const hashesOf = ({ ref, product, price, offer }: Seen) => ({
  ref: sha256Hex(`${ref}`),
  product: sha256Hex(`${product}`),
  offer: offer === undefined ? undefined : { key: sha256Hex(`${ref}/${offer}`), price: sha256Hex(`${price}`) },
  id: sha256Hex(`${ref}/${product}/${price}/${offer}`),
})

async function judged(candidates: readonly Seen[], memoryBytesMax: number) {
  const folder = await mkdtemp(join(tmpdir(), 'spill-test-'))
  await using index = new ConflictIndex({ folder, memoryBytesMax })
  for (const candidate of candidates) {
    index.add(hashesOf(candidate))
    await index.spillIfLarge()
  }
  const { conflictOf, isDuplicate } = await index.finish()
  const files = await readdir(folder)
  return { verdicts: candidates.map((_, i) => [conflictOf(i), isDuplicate(i)]), files, onDisk: index.isOnDisk }
}

/** The definition, applied to all candidates at once. */
function defined(candidates: readonly Seen[]) {
  return candidates.map(({ ref, product, price, offer }, i) => {
    const ofRef = candidates.filter((other) => other.ref === ref)
    const isContradicted = ofRef.some((other) => other.product !== product)
    const isRepriced = offer !== undefined && ofRef.some((other) => other.offer === offer && other.price !== price)
    const { id } = hashesOf({ ref, product, price, offer })
    return [
      isContradicted ? 'product' : isRepriced ? 'price' : null,
      candidates.slice(0, i).some((other) => hashesOf(other).id === id),
    ]
  })
}

test('finds exactly the conflicts and duplicates of the definition, in memory and on disk', async () => {
  const small = fc.integer({ min: 0, max: 4 })
  const candidates = fc.array(
    fc.record({
      ref: small,
      product: fc.constantFrom(0, 0, 0, 1),
      price: small,
      offer: fc.constantFrom(undefined, undefined, 0, 1),
    }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(candidates, async (candidates) => {
      const expected = defined(candidates)
      const inMemory = await judged(candidates, 1_000_000)
      expect(inMemory).toEqual({ verdicts: expected, files: [], onDisk: false })
      const onDisk = await judged(candidates, 100)
      expect(onDisk.verdicts).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})

test('spills to disk past its memory, and leaves nothing there', async () => {
  // 150 references with two products each, then 9,000 more, each of them twice.
  const contradicted = Array.from({ length: 300 }, (_, i) => ({ ref: i >> 1, product: i & 1, price: 0 }))
  const repeated = Array.from({ length: 18_000 }, (_, i) => ({ ref: 1_000 + (i % 9_000), product: 0, price: 0 }))
  const candidates = [...contradicted, ...repeated]
  const folder = await mkdtemp(join(tmpdir(), 'spill-test-'))
  {
    await using index = new ConflictIndex({ folder, memoryBytesMax: 300_000 })
    for (const candidate of candidates) {
      index.add(hashesOf(candidate))
      await index.spillIfLarge()
    }
    expect(index.isOnDisk).toBe(true)
    expect(await readdir(folder)).toEqual([])
    const { conflictOf, isDuplicate } = await index.finish()
    const numbers = candidates.map((_, i) => i)
    expect(numbers.filter((i) => conflictOf(i) === 'product')).toEqual(numbers.slice(0, 300))
    expect(numbers.filter(isDuplicate)).toEqual(numbers.slice(9_300))
    expect(index.count).toBe(18_300)
  }
  expect(await readdir(folder)).toEqual([])
})
