import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Spill } from './spill.ts'

type Seen = Readonly<{ ref: number; goods: number; price: number }>

async function judged(candidates: readonly Seen[], memoryBytesMax: number) {
  const folder = await mkdtemp(join(tmpdir(), 'spill-test-'))
  await using spill = new Spill({ folder, memoryBytesMax })
  for (const { ref, goods, price } of candidates) {
    spill.add({ ref: sha256Hex(`${ref}`), goods: sha256Hex(`${goods}`), id: sha256Hex(`${ref}/${goods}/${price}`) })
    await spill.settle()
  }
  const { isConflict, isDuplicate } = await spill.finish()
  const files = await readdir(folder)
  return { verdicts: candidates.map((_, i) => [isConflict(i), isDuplicate(i)]), files, onDisk: spill.onDisk }
}

/** The definition itself, over all candidates at once. */
function defined(candidates: readonly Seen[]) {
  return candidates.map(({ ref, goods, price }, i) => [
    candidates.some((other) => other.ref === ref && other.goods !== goods),
    candidates.slice(0, i).some((other) => other.ref === ref && other.goods === goods && other.price === price),
  ])
}

test('conflicts and duplicates are exactly those of the definition, in memory and on disk', async () => {
  const small = fc.integer({ min: 0, max: 4 })
  const candidates = fc.array(fc.record({ ref: small, goods: fc.constantFrom(0, 0, 0, 1), price: small }), {
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

test('past its memory it goes to disk, and leaves nothing there', async () => {
  const candidates = Array.from({ length: 9_000 }, (_, i) => ({
    ref: i % 3_000,
    goods: i === 8_999 ? 1 : 0,
    price: i % 4_500,
  }))
  const folder = await mkdtemp(join(tmpdir(), 'spill-test-'))
  {
    await using spill = new Spill({ folder, memoryBytesMax: 50_000 })
    for (const { ref, goods, price } of candidates) {
      spill.add({ ref: sha256Hex(`${ref}`), goods: sha256Hex(`${goods}`), id: sha256Hex(`${ref}/${goods}/${price}`) })
      await spill.settle()
    }
    expect(spill.onDisk).toBe(true)
    expect((await readdir(folder)).length).toBeGreaterThan(100)
    const { isConflict, isDuplicate } = await spill.finish()
    const numbers = candidates.map((_, i) => i)
    expect(numbers.filter(isConflict)).toEqual([2_999, 5_999, 8_999])
    expect(numbers.filter(isDuplicate)).toHaveLength(0)
    expect(spill.count).toBe(9_000)
  }
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
})
