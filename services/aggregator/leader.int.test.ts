import { TOPICS } from '@catalog/core/events/topics.ts'
import { endOf } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { registration } from '@catalog/stack/testing/events.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { expect, test } from 'vitest'
import { asLeader } from './leader.ts'

test.each([
  ['leads', `update leases set holder = 'successor', expires_at = now() + interval '1 hour'`],
  ['has led', `delete from leases`],
])('a leader that was frozen beyond its lease appends nothing when its successor %s', async (_, successor) => {
  await using store = await openTestStore()
  await using log = await openTableLog(store)
  const event = registration()
  const records = [{ key: event.source.id, value: JSON.stringify(event) }]
  const deps = { store, log, catchUp: async () => {}, holder: 'frozen' }
  const work = asLeader(deps, async ({ log }) => {
    await log.append(TOPICS.decisions, records)
    // It wakes up, and no timer of it has run yet.
    await store.query(successor)
    await log.append(TOPICS.decisions, records)
  })
  await expect(work).rejects.toThrow("lease 'aggregator' was lost to another process")
  expect(await endOf(log, TOPICS.decisions)).toEqual({ 0: '1' })
  expect(await store.query(`select holder from leases where holder = 'frozen'`)).toEqual([])
})
