import { expect, test } from 'vitest'
import { crawlHostile, LOG_PER_BYTE_MAX, PARSER_MB_MAX } from './hostile-crawls.ts'
import { hostileFiles } from './hostile-files.ts'

/** A frozen process answers after seconds. `npm run soak -- hostile` holds the law of 50 ms on a machine without other work. */
const BUSY_P99_MS_MAX = 500

test('given hostile files at a shop, when catalog up crawls them, then it answers, and its memory and log stay small', async () => {
  const files = hostileFiles()
  const figures = await crawlHostile(files)
  process.stderr.write(`${JSON.stringify(figures)}\n`)
  expect(figures.livez.p99).toBeLessThanOrEqual(BUSY_P99_MS_MAX)
  expect(figures.parserMb).toBeGreaterThan(0)
  expect(figures.parserMb).toBeLessThanOrEqual(PARSER_MB_MAX)
  const least = Math.min(...files.map(({ bytes }) => bytes.length))
  expect(figures.logBytes).toBeLessThanOrEqual(LOG_PER_BYTE_MAX * least)
  expect(figures.problems).toEqual(
    expect.arrayContaining(['BAD_GZIP', 'EXPANDS_TOO_MUCH', 'TOO_MANY_CELLS', 'TOO_MANY_REFUSED']),
  )
})
