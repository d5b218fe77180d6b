import { BENCHES } from '@catalog/bench/benches.ts'
import { expect, test } from 'vitest'

// A table that moved, or a peer that no longer answers alike, stops a bench: every bench checks its results before it measures.
test.each(Object.entries(BENCHES))('the bench %s runs, and tells finite figures', async (_name, bench) => {
  const rows = await bench.run(() => {}, { isBrief: true })
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    const figures = 'figure' in row ? [row.figure] : [row.oursMs, row.besideMs]
    expect(
      figures.every((figure) => Number.isFinite(figure) && figure >= 0),
      row.stage,
    ).toBe(true)
  }
})
