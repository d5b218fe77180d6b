import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@catalog/core/time.ts'
import { endOf } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { trustChanged } from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { expect, test } from 'vitest'
import { clockedLog } from './clocked-log.ts'

const store = await storeOfFile()
const log = await openTableLog(store)
const decision = trustChanged('src_a', 50, '2026-11-20T00:00:00Z')
const append = (offsetMs: number) =>
  clockedLog(log, { store, now: () => new Date(Date.now() + offsetMs) }).append(TOPICS.decisions, [
    { key: 'src_a/', value: JSON.stringify(decision) },
  ])

test.each([DAY_MS, -DAY_MS, HOUR_MS, -HOUR_MS, 2 * MINUTE_MS, -2 * MINUTE_MS])(
  'a clock that is %i ms from the database’s writes nothing',
  async (offsetMs) => {
    const before = await endOf(log, TOPICS.decisions)
    await expect(append(offsetMs)).rejects.toThrow(
      /^the clocks of this machine and of the database are \d+ s apart, expected at most 60 s/,
    )
    expect(await endOf(log, TOPICS.decisions)).toEqual(before)
  },
)

test.each([0, MINUTE_MS / 2, -MINUTE_MS / 2])('one that is %i ms from it writes', async (offsetMs) => {
  await expect(append(offsetMs)).resolves.toBeUndefined()
})
