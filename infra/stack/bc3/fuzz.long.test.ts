import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brokenFilesAreRead, endlessBank, newFuzzTally, ownSeeds } from './fuzz.ts'
import { bc3Samples } from './samples.ts'

const RUNS = Number(process.env.TEST_RUNS ?? 300)
const TIMEOUT_MS = 300_000 + 100 * RUNS

test('a damaged BC3 file is read, repriced, written and read again', { timeout: TIMEOUT_MS }, async () => {
  const tally = newFuzzTally()
  const seeds = [...ownSeeds(), ...bc3Samples().map(({ bytes }) => bytes)]
  const { failed, counterexample, errorInstance, seed } = await fc.check(brokenFilesAreRead(seeds, tally), {
    numRuns: RUNS,
  })
  const message = `seed ${seed}, ${JSON.stringify(counterexample)?.slice(0, 2_000)}: ${(errorInstance as Error | null)?.message}`
  expect(failed, message).toBe(false)
  // The run read files, most with oddities, and some without anything that the writer had to refuse.
  expect(tally.inputs).toBe(RUNS)
  expect(tally.entries).toBeGreaterThan(RUNS)
  expect(tally.odd).toBeGreaterThan(RUNS / 2)
  expect(tally.inputs - tally.replaced).toBeGreaterThan(RUNS / 10)
})

describe('a large file', () => {
  const BYTES = 5_000_000
  /** A record, or a charset that is still undecided, spans two pieces. */
  const PIECES_AHEAD_MAX = 2

  test('is read piece by piece without holding any', async () => {
    const source = endlessBank(BYTES)
    let [pulled, records] = [0, 0]
    const counted = {
      ...source,
      async *open() {
        for await (const piece of source.open()) {
          pulled += piece.toString().split('~').length - 1
          yield piece
        }
      },
    }
    const log = new DiagnosticLog()
    const { entries, encoding } = await openBc3(counted, { log })
    const inPiece = 700
    pulled = 0
    for await (const batch of entries) {
      records += batch.length
      expect(batch.length).toBeLessThanOrEqual(100)
      expect(pulled - records).toBeLessThan(PIECES_AHEAD_MAX * inPiece + 100)
    }
    expect(records).toBe(pulled)
    expect(encoding.used).toBe('windows-1252')
    expect(log.kept).toEqual([])
  })
})
