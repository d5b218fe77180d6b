import { parseEvent } from '@catalog/core/events/events.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { expect, test } from 'vitest'
import { retract, retractions } from './retract.ts'

const said = { reason: 'wrong column', now: new Date('2026-11-21T10:00:00Z') }

test('retracts an observation in the partition of its reference', () => {
  const [only, ...others] = retractions(
    { scope: 'observation', sourceId: 'src_a', vendorRef: 'A1', observationId: 'ff' },
    said,
  )
  expect(others).toEqual([])
  expect(only?.key).toBe('src_a/A1')
  expect(parseEvent(TOPICS.observations, only?.event)).toMatchObject({
    source_id: 'src_a',
    vendor_ref: 'A1',
    target: { scope: 'observation', observation_id: 'ff' },
    reason: 'wrong column',
    recorded_at: '2026-11-21T10:00:00Z',
  })
})

test('retracts a crawl for each of its sources', async () => {
  const appended: unknown[] = []
  const events = await retract(
    { scope: 'crawl', crawlId: 'c1', sourceIds: ['src_a', 'src_b'] },
    { ...said, log: { append: async (topic, records) => void appended.push([topic, records.map(({ key }) => key)]) } },
  )
  expect(appended).toEqual([[TOPICS.observations, ['src_a/', 'src_b/']]])
  for (const event of events)
    expect(parseEvent(TOPICS.observations, event)).toMatchObject({ target: { scope: 'crawl', crawl_id: 'c1' } })
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2)
})

test('repeats the same event, except for a source, where a later one covers more', () => {
  const later = { ...said, now: new Date('2026-11-22T10:00:00Z') }
  const idOf = (scope: 'crawl' | 'source', at: typeof said) =>
    retractions(
      scope === 'crawl' ? { scope, crawlId: 'c1', sourceIds: ['src_a'] } : { scope, sourceIds: ['src_a'] },
      at,
    )[0]?.event.event_id
  expect(idOf('crawl', later)).toBe(idOf('crawl', said))
  expect(idOf('source', later)).not.toBe(idOf('source', said))
})
