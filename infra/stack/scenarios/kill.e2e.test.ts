import { chaos } from '@catalog/stack/chaos.ts'
import { expect, test } from 'vitest'

/** Two seeds of `npm run chaos`: one kills a command, one kills the server that owns the store under a command. */
test('after kills at random moments and a second run, crawl, aggregate and serve end as if undisturbed', async () => {
  const lines: string[] = []
  const reports = await chaos({ seeds: 2, firstSeed: 32, sample: false, report: (line) => lines.push(line) })
  expect(reports.map(({ seed }) => seed)).toEqual([32, 33])
  expect(lines).toHaveLength(3)
  // On a faster machine one seed may kill too late; if both did, this would test nothing.
  expect(reports.flatMap(({ killed }) => killed).length).toBeGreaterThan(0)
})
