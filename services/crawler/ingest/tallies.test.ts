import type { Registration } from '@catalog/formats/mapping/candidate.ts'
import { observation, sourceNamed } from '@catalog/stack/testing/events.ts'
import { expect, test } from 'vitest'
import { contentOf, registerSources, Tallies } from './tallies.ts'

test.each([
  ['2023', '2023'],
  ['2026-10', '2026-10'],
  ['2026-13', undefined],
  ['October', undefined],
  [undefined, undefined],
])('a candidate of edition %s is recorded with %s', (edition, recorded) => {
  const { type: _t, v: _v, event_id: _e, recorded_at: _r, crawl_id: _c, ...content } = observation()
  const tally = new Tallies().of(sourceNamed()) as NonNullable<ReturnType<Tallies['of']>>
  const registration: Registration = { kind: 'bank' }
  const made = contentOf({ content, registration, ...(edition !== undefined && { edition }) }, tally)
  expect(made).toEqual({ ...content, ...(recorded !== undefined && { edition: recorded }) })
})

test.each<[Registration, object]>([
  [{ kind: 'bank' }, { validity_days: 400 }],
  [
    { kind: 'bank', validity: 'until_superseded' },
    { validity: 'until_superseded', validity_days: 3650 },
  ],
  [
    { kind: 'shop', validity: 'until_superseded', validityDays: 900 },
    { validity: 'until_superseded', validity_days: 900 },
  ],
])('the registration %o is recorded as %o', async (registration, recorded) => {
  const tallies = new Tallies()
  Object.assign(tallies.of(sourceNamed()) as object, { registration })
  const events: Record<string, unknown>[] = []
  const log = {
    async append(_topic: string, appended: readonly { value: string }[]) {
      events.push(...appended.map(({ value }) => JSON.parse(value)))
      return []
    },
  } as unknown as Parameters<typeof registerSources>[1]['log']
  await registerSources(tallies, { log, registeredSources: async () => new Set() }, '2026-01-05T07:00:00Z')
  const [{ validity, validity_days } = {}] = events
  expect({ ...(validity !== undefined && { validity }), validity_days }).toEqual(recorded)
})
