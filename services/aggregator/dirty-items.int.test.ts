import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { VALIDITY_DAYS } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { VOTE_CAUSES, type VoteCause } from '@catalog/core/median/eligibility.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { endOf } from '@catalog/log/log.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, observationRetracted, registration, trustChanged } from '@catalog/stack/testing/events.ts'
import { dirtyItemIds } from '@catalog/store/vendor/dirty-items.ts'
import { lastFinishedRun, type RunRecord } from '@catalog/store/vendor/runs.ts'
import { expect, test } from 'vitest'

const path = await pathOfFile()

const price = observation({ at: '2026-01-05T00:00:00Z', unit: 'tramex' })
const { source } = price
const later = { decided_at: '2026-01-11T00:00:00Z', reason: 'checked' }

const split = (decided_at: string) =>
  event({
    type: 'SkuSplit',
    decided_at,
    vendor_sku_id: vendorSkuIdOf(source.id, price.vendor_ref),
    source_id: source.id,
    item_id: 'ci_split',
    founding: { n: 2, unit: 'm2' },
    reason: 'another product',
  })

type History = Readonly<{ before?: readonly CatalogEvent[]; after?: readonly CatalogEvent[]; asOf?: string }>
/** Of each cause: events before the first run and after it, and the instant of the next one. */
const HISTORIES: Readonly<Record<VoteCause, History>> = {
  delivery: { after: [observation({ at: '2026-01-04T00:00:00Z', unit: 'tramex', cents: 90, crawl: 'late' })] },
  appearance: { before: [observation({ at: '2026-01-11T00:00:00Z', unit: 'tramex', cents: 90, crawl: 'early' })] },
  expiry: { asOf: '2026-02-04T00:00:00Z' },
  retraction: { after: [observationRetracted(source.id, { scope: 'observation', observation_id: price.event_id })] },
  settings: { after: [trustChanged(source.id, 0, later.decided_at)] },
  verdict: { after: [event({ ...later, type: 'ObservationQuarantined', observation_id: price.event_id })] },
  unit: { after: [event({ ...later, type: 'UnitAliased', unit: 'Tramex', canonical: 'm2' })] },
  membership: { after: [split(later.decided_at)] },
  // Nobody has seen the item of a split to come.
  founding: { before: [split('2026-03-01T00:00:00Z')] },
}

/** The run after these events, and the one before it. */
async function runsOf({
  before = [],
  after = [],
  asOf = '2026-01-12T00:00:00Z',
}: History): Promise<{ from: RunRecord; to: RunRecord }> {
  await path.reset()
  await path.append([registration(), price, ...before])
  await path.run('2026-01-10T00:00:00Z')
  await path.append(after)
  const from = await lastFinishedRun(path.store)
  if (from === undefined) throw new Error('expected a finished run')
  const [observations, decisions] = [
    await endOf(path.log, TOPICS.observations),
    await endOf(path.log, TOPICS.decisions),
  ]
  const positions = { [TOPICS.observations]: observations, [TOPICS.decisions]: decisions }
  return { from, to: { ...from, runId: 'next', asOf, positions } }
}

test.each(VOTE_CAUSES)(
  'given %s as the only cause between two runs, when the query leaves it out, then it misses the changed item',
  async (cause) => {
    const runs = await runsOf(HISTORIES[cause])
    const others = VOTE_CAUSES.filter((one) => one !== cause)
    const found = new Set(await dirtyItemIds(path.store, runs))
    expect(found.difference(new Set(await dirtyItemIds(path.store, runs, others))).size).toBe(1)
  },
)

test('given nothing but time within the validity, when dirty items are listed, then there are none', async () => {
  expect(await dirtyItemIds(path.store, await runsOf({}))).toEqual([])
})

test('given a source that is registered late, when dirty items are listed, then its items are among them', async () => {
  const vendor = 'Other'
  const before = [observation({ vendor, ref: 'B', name: 'Sand 0-4' })]
  const runs = await runsOf({ before, after: [registration({ vendor, trust: 90 })] })
  expect(await dirtyItemIds(path.store, runs)).toHaveLength(1)
})

test('given two vendors with a period each, when one ends, then the items of that vendor alone can differ', async () => {
  const bank = { vendor: 'Other', kind: 'bank' as const }
  const before = [registration(bank), observation({ ...bank, ref: 'B', name: 'Sand 0-4', at: '2026-01-05T00:00:00Z' })]
  const { from, to } = await runsOf({ before, asOf: '2026-02-04T00:00:00Z' })
  expect(await dirtyItemIds(path.store, { from, to })).toHaveLength(1)
  const asOf = instant(new Date(Date.parse(price.observed_at) + VALIDITY_DAYS.bank * DAY_MS))
  expect(await dirtyItemIds(path.store, { from: to, to: { ...to, asOf } })).toHaveLength(1)
})
