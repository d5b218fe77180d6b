import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import type { WhatIfAnswer } from '@catalog/operations/what-if/answer.ts'
import { listening, openTestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import { indexPoint, observation, registration } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { readSeq } from '@catalog/store/builds/status.ts'
import { beforeAll, expect, test } from 'vitest'
import { answerWhatIf, type WhatIfFlags } from './what-if.ts'

/**
 * What each item costs, and what it would cost if older prices had moved with an index of Spain, 120 in January, 131 in March and
 * without a value for February, on 20 March:
 *
 *   January    60 × 131/120 = 131/2, half to even       66
 *   February  100 × 131/120 = 655/6, by January's value 109
 *   December  100, older than every value               100
 *   France    100, of another region                    100
 *   March     100, of the present month                 100
 */
const ITEMS = [
  { name: 'January', gtin: '4006381333931', vendor: 'Norte', region: 'ES', cents: 60, at: '2026-01-05T06:00:00Z' },
  { name: 'February', gtin: '4006381333948', vendor: 'Norte', region: 'ES', cents: 100, at: '2026-02-05T06:00:00Z' },
  { name: 'December', gtin: '4006381333955', vendor: 'Norte', region: 'ES', cents: 100, at: '2025-12-05T06:00:00Z' },
  { name: 'France', gtin: '4006381333962', vendor: 'Este', region: 'FR', cents: 100, at: '2026-01-05T06:00:00Z' },
  { name: 'March', gtin: '4006381333979', vendor: 'Norte', region: 'ES', cents: 100, at: '2026-03-05T06:00:00Z' },
]
const DAY = '2026-03-20T00:00:00Z'

async function asked(flags: Partial<WhatIfFlags>) {
  const { heard, terminal } = listening({ json: false })
  await answerWhatIf(
    { catalog: opened.catalog, terminal, signal: new AbortController().signal },
    { top: '20', carryForward: 'BUILD.1', ...flags },
  )
  return { answer: heard.answers[0] as WhatIfAnswer, ...heard }
}
const moved = ({ largest }: WhatIfAnswer) =>
  largest.changed.map(({ name, before, after }) => [name, before?.cents, after?.cents]).sort()

const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  await tell(opened.catalog, [
    registration({ vendor: 'Norte', region: 'ES', trust: 60, kind: 'bank' }),
    registration({ vendor: 'Este', region: 'FR', trust: 50, kind: 'bank' }),
    ...ITEMS.map(({ gtin, ...item }) => observation({ ...item, ref: gtin, more: { gtin } })),
  ])
  await aggregateRuns(opened.catalog, listening().terminal, { asOfs: [DAY], full: false })
  await tell(opened.catalog, [
    indexPoint({ value: '120' }),
    indexPoint({ period: '2026-03', value: '131.0', observed_at: '2026-04-15T00:00:00Z' }),
    indexPoint({ series: 'ZERO', title: 'Zero', value: '0' }),
    indexPoint({ series: 'LATE', title: 'Late', period: '2026-05', value: '9' }),
  ])
})

test('older prices are carried exactly, by region, and each carried vote says how', async () => {
  const before = await readSeq(opened.catalog.store)
  const { answer, text, next } = await asked({})
  expect(moved(answer)).toEqual([
    ['February', 100, 109],
    ['January', 60, 66],
  ])
  expect(answer.items).toMatchObject({ changed: 2, unchanged: 3 })
  const [january] = answer.largest.changed.filter(({ name }) => name === 'January')
  expect(january?.carried).toEqual([
    {
      observation_id: january?.after_basis.votes[0]?.observation_id,
      from: { wanted: '2026-01', period: '2026-01', value: '120' },
      factor: '131/120',
      price: '131/2',
    },
  ])
  // The basis shows what was observed, and the quartiles those prices that voted.
  expect(january?.after_basis).toMatchObject({ p25: 66, p75: 66, votes: [{ price: '60', price_cents: 60 }] })
  expect(answer.carry_forward).toMatchObject({
    title: 'Cost of building',
    to: { wanted: '2026-03', period: '2026-03', value: '131.0' },
    votes: 2,
    last_known: 1,
    before_first: 1,
  })
  expect(text).toContain('2 votes in ES carried forward by Cost of building to 131.0 of 2026-03')
  expect(text).toContain('1 of them are of a period without a value: the last known one before it was taken')
  expect(text).toContain('1 votes are older than its first value, and kept their price')
  expect(text).toContain('(carried × 131/120 (2026-01 for 2026-02 to 2026-03) = 1.09 EUR)')
  expect(text).toContain('nothing of this can be published')
  expect(next).not.toContain('--accept')
  expect(await readSeq(opened.catalog.store)).toBe(before)
})

test('with an instant, values stated later do not count, and the last known one is said', async () => {
  await expect(asked({ asOf: DAY, carryForward: 'LATE' })).rejects.toThrow(
    "--carry-forward 'LATE': expected a value by 2026-03, the period of 2026-03-20T00:00:00Z",
  )
  const { answer, text } = await asked({ asOf: DAY })
  expect(answer.carry_forward?.to).toEqual({ wanted: '2026-03', period: '2026-01', value: '120' })
  expect(text).toContain('the index has no value of 2026-03: the last known one was taken')
  expect(moved(answer)).toEqual([])
})

test('goes with another rule', async () => {
  const { text } = await asked({ without: ['Este'] })
  expect(text).toContain('carried × 131/120 (2026-01 to 2026-03) = 0.66 EUR')
  expect(text).toContain('older prices carried forward by Cost of building')
})

test.each<[Partial<WhatIfFlags>, string]>([
  [
    { accept: true, reason: 'inflation' },
    "--accept --carry-forward 'BUILD.1': a carried price was never observed, so it is shown and never published",
  ],
  [{ carryForward: 'BT01' }, "--carry-forward 'BT01': expected an id, a code or a title: "],
  [{ carryForward: 'ZERO' }, "--carry-forward 'ZERO': its value 0 of 2026-01: expected values above 0"],
])('%j is refused: %s', async (flags, message) => {
  const { log } = opened.catalog
  const ends = async () => Promise.all(Object.values(TOPICS).map((topic) => log.partitions(topic)))
  const before = await ends()
  await expect(asked(flags)).rejects.toThrow(message)
  expect(await ends()).toEqual(before)
})
