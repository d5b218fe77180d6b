import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConflictIndex } from './conflict-index.ts'

type Seen = Readonly<{ ref: number; product: number; price: number }>

async function judged(candidates: readonly Seen[], memoryBytesMax: number) {
  const folder = await mkdtemp(join(tmpdir(), 'spill-test-'))
  await using index = new ConflictIndex({ folder, memoryBytesMax })
  for (const { ref, product, price } of candidates) {
    index.add({
      ref: sha256Hex(`${ref}`),
      product: sha256Hex(`${product}`),
      id: sha256Hex(`${ref}/${product}/${price}`),
    })
    await index.spillIfLarge()
  }
  const { isConflict, isDuplicate } = await index.finish()
  const files = await readdir(folder)
  return { verdicts: candidates.map((_, i) => [isConflict(i), isDuplicate(i)]), files, onDisk: index.isOnDisk }
}

/** The definition, applied to all candidates at once. */
function defined(candidates: readonly Seen[]) {
  return candidates.map(({ ref, product, price }, i) => [
    candidates.some((other) => other.ref === ref && other.product !== product),
    candidates.slice(0, i).some((other) => other.ref === ref && other.product === product && other.price === price),
  ])
}

test('finds exactly the conflicts and duplicates of the definition, in memory and on disk', async () => {
  const small = fc.integer({ min: 0, max: 4 })
  const candidates = fc.array(fc.record({ ref: small, product: fc.constantFrom(0, 0, 0, 1), price: small }), {
    maxLength: 60,
  })
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
    for (const { ref, product, price } of candidates) {
      index.add({
        ref: sha256Hex(`${ref}`),
        product: sha256Hex(`${product}`),
        id: sha256Hex(`${ref}/${product}/${price}`),
      })
      await index.spillIfLarge()
    }
    expect(index.isOnDisk).toBe(true)
    expect((await readdir(folder)).length).toBeGreaterThan(100)
    const { isConflict, isDuplicate } = await index.finish()
    const numbers = candidates.map((_, i) => i)
    expect(numbers.filter(isConflict)).toEqual(numbers.slice(0, 300))
    expect(numbers.filter(isDuplicate)).toEqual(numbers.slice(9_300))
    expect(index.count).toBe(18_300)
  }
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})
