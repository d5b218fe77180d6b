import type { JoinRule } from '@catalog/aggregator/matching/join-rule.ts'
import type { MatchText } from '@catalog/core/matching/match.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { plainRule } from '@catalog/stack/path/plain-rule.ts'
import { itemsMerged, observation, registration, trustChanged } from '@catalog/stack/testing/events.ts'
import { beforeEach, expect, test } from 'vitest'
import { acceptRematch, RematchRefused, rematchCut } from './accept-rematch.ts'
import { rematch, versionOf } from './rematch.ts'

/** The former rule joins everything of one first word; the present rule tells offshore work apart and joins translations. */
const firstWord = ({ name }: MatchText) => (name.split(' ')[0] as string).toLowerCase()
const { rule: loose } = plainRule({
  version: 'loose/1',
  score: (a, b) => (firstWord(a) === firstWord(b) ? 0.95 : 0.02),
  blocks: () => ({ stored: ['b:all'], probes: ['b:all'] }),
})
const path = await pathOfFile({ joinRule: loose })
beforeEach(() => path.reset())
const isOffshore = ({ name }: MatchText) => name.includes('offshore')
const trade = (sku: MatchText) => ({ electricista: 'electrician' })[firstWord(sku)] ?? firstWord(sku)
const { rule: strict } = plainRule({
  version: 'strict/1',
  score: (a, b) => (trade(a) === trade(b) ? 0.95 : 0.02),
  blocks: () => ({ stored: ['b:all'], probes: ['b:all'] }),
  canBeOneProduct: (a, b) => isOffshore(a) === isOffshore(b),
})

const NAMES = [
  ['Norte', 'Electrician grade one'],
  ['Leeds', 'Electrician offshore'],
  ['Lyon', 'Electrician qualified'],
  ['Sur', 'Electrician offshore for sites'],
  ['Bilbao', 'Electricista oficial'],
  ['York', 'Painter'],
] as const
const offers = NAMES.map(([vendor, name], n) =>
  observation({ vendor, ref: `R${n}`, name, unit: 'h', cents: 2000 + n, more: { lang: 'en' } }),
)
const AS_OF = '2026-01-10T00:00:00Z'

const deps = (rule: JoinRule, log: EventLog = path.log) => ({
  store: path.store,
  log,
  catchUp: path.project,
  now: () => new Date(path.nowMs),
  newRunId: () => `run_rematch`,
  holder: 'test',
  joinRule: rule,
})
const look = async (rule: JoinRule) => rematch({ store: path.store, rule, cut: (await rematchCut(path.store)).cut })
const accept = (rule: JoinRule, log?: EventLog) => acceptRematch(deps(rule, log), { reason: 'offshore work is apart' })

/** The names of each item, as sets of one catalog. */
async function together(): Promise<string[][]> {
  const rows = await path.store.query<{ refs: string[] }>(
    `select array_agg(vendor_ref order by vendor_ref) as refs from memberships join vendor_skus using (sku) group by item`,
  )
  return rows.map(({ refs }) => refs).sort()
}
const holds = async () => expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])

async function givenItemsOfTheFormerRule() {
  await path.append([...NAMES.map(([vendor]) => registration({ vendor })), ...offers])
  await path.run(AS_OF)
  expect(await together()).toEqual([['R0', 'R1', 'R2', 'R3'], ['R4'], ['R5']])
}

test('a rule that decides as before finds nothing, and accepting it appends nothing', async () => {
  await givenItemsOfTheFormerRule()
  const found = await look(loose)
  expect(found).toMatchObject({ items: 3, skus: 6, splits: [], merges: [], kept: [] })
  const before = await path.roots()
  expect((await accept(loose)).run).toBeNull()
  expect(await path.roots()).toEqual(before)
})

test('another rule splits and merges items exactly as it was shown, and once', async () => {
  await givenItemsOfTheFormerRule()
  const shown = await look(strict)
  expect(shown.splits.map(({ leaving }) => leaving.length)).toEqual([2])
  expect(shown.merges.length).toBe(1)
  expect(await together()).toEqual([['R0', 'R1', 'R2', 'R3'], ['R4'], ['R5']])

  const { found, run } = await accept(strict)
  expect(found.sha256).toBe(shown.sha256)
  expect(run?.changed).toBeGreaterThanOrEqual(3)
  expect(await together()).toEqual([['R0', 'R2', 'R4'], ['R1', 'R3'], ['R5']])
  expect(await look(strict)).toMatchObject({ splits: [], merges: [] })
  expect((await accept(strict)).run).toBeNull()
  await holds()
})

test('the rule belongs to the cut: runs from then on name it, and a replay gives the same', async () => {
  await givenItemsOfTheFormerRule()
  await accept(strict)
  const runs = await path.store.query<{ rule: string | null }>(
    `select payload::jsonb->>'match_rule' as rule from decisions where type = 'RunStarted' order by "offset"`,
  )
  expect(runs.map(({ rule }) => rule)).toEqual([null, versionOf(strict)])
  const before = await path.roots()
  await path.rebuild()
  expect(await path.roots()).toEqual(before)
})

test('what people merged stays whole, and what they keep apart stays apart', async () => {
  await givenItemsOfTheFormerRule()
  const items = await path.store.query<{ id: string; name: string }>(`select item_id as id, name from items`)
  const idOf = (word: string) => items.find(({ name }) => name.includes(word))?.id as string
  await path.append([itemsMerged(idOf('Painter'), idOf('Electrician'), AS_OF)])
  await path.run('2026-01-11T00:00:00Z')
  const found = await look(strict)
  expect(found.splits).toEqual([])
  expect(found.kept.map(({ leaving }) => leaving.length)).toEqual([3])
  await holds()
})

test('a call that was killed after its decisions is finished by the next', async () => {
  await givenItemsOfTheFormerRule()
  let appends = 0
  const killed: EventLog = {
    ...path.log,
    async append(topic, events) {
      if (++appends === 2) throw new Error('killed')
      return path.log.append(topic, events)
    },
  }
  await expect(accept(strict, killed)).rejects.toThrow('killed')
  const { run } = await accept(strict)
  expect(run?.changed).toBeGreaterThanOrEqual(3)
  expect(await together()).toEqual([['R0', 'R2', 'R4'], ['R1', 'R3'], ['R5']])
  await holds()
})

test('another decision that waits is not published along', async () => {
  await expect(rematchCut(path.store)).rejects.toThrow(RematchRefused)
  await givenItemsOfTheFormerRule()
  await path.append([trustChanged((offers[0] as { source: { id: string } }).source.id, 10, AS_OF)])
  await expect(accept(strict)).rejects.toThrow('catalog aggregate first')
})
