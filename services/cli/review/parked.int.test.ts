import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawlInputs, inputsOf } from '@catalog/cli/crawl/crawl-inputs.ts'
import { DEAD_LETTERS, showDeadLetter } from '@catalog/cli/review/decision-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { resolveDeadLetters } from '@catalog/operations/decisions/dead-letters.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, expect, test } from 'vitest'

let folder: string
let catalog: Catalog

const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  ;({ catalog, folder } = opened)
  const crawled = async (source: string, lines: readonly string[]) => {
    const path = join(folder, `${source}.csv`)
    writeFileSync(path, ['ref;name;price;currency;date', ...lines].join('\n'))
    await crawlInputs(catalog, listening().terminal, inputsOf([path], { source }))
  }
  await crawled('Norte', [
    'D;Tile;1,50;EUR;2026-01-01',
    'A;Brick;x;EUR;2026-01-01',
    'B;Sand;y;EUR;2026-01-01',
    'C;Lime;1,50;EUR;31/02/2026',
  ])
  await crawled('Sur', ['A;Brick;z;EUR;2026-01-01', 'D;Tile;1,50;EUR;2026-01-01'])
})

type Parked = Readonly<{
  groups: { reason: string; count: number; parked_id: string; detail: string }[]
  parked: { parked_id: string; reason: string }[]
}>
async function list(options: { reason?: string; source?: string } = {}) {
  const { heard, terminal } = listening()
  await showList(DEAD_LETTERS, { catalog, terminal }, { limit: 50, ...options })
  return { ...(heard.answers[0] as Parked), text: heard.text, next: heard.next }
}

test('groups dead letters by reason and source, the largest first, with an example', async () => {
  const { groups, parked, text, next } = await list()
  expect(groups.map(({ reason, count }) => [reason, count])).toEqual([
    ['BAD_PRICE', 2],
    ['BAD_DATE', 1],
    ['BAD_PRICE', 1],
  ])
  expect(parked).toHaveLength(4)
  expect(text).toMatch(/BAD_PRICE +Norte +2 +'[xy]'/)
  expect(next).toBe(`catalog parked list --reason BAD_PRICE, or catalog parked show ${groups[0]?.parked_id}`)
})

test('lists the records of one reason and one source, without groups', async () => {
  const { groups, parked } = await list({ reason: 'BAD_PRICE', source: 'sur' })
  expect([groups, parked.map(({ reason }) => reason)]).toEqual([[], ['BAD_PRICE']])
  await expect(list({ source: 'Este' })).rejects.toThrow("--source 'Este': expected an id or a name")
})

test('shows a record, and the command that it proposes closes it', async () => {
  const { groups } = await list()
  const id = groups.find(({ reason }) => reason === 'BAD_DATE')?.parked_id as string
  const { heard, terminal } = listening({ json: false })
  await showDeadLetter({ catalog, terminal }, id)
  expect(heard.text).toMatch(/^BAD_DATE: .*\nat Norte.csv line 5, .*\n\nC;Lime;1,50;EUR;31\/02\/2026\n\n/)
  expect(heard.next).toContain(`catalog parked resolve ${id} --as recorded --reason "..."`)
  await resolveDeadLetters(catalog, { ids: [id], as: 'recorded', reason: 'sent again' })
  await catalog.catchUp()
  await expect(showDeadLetter({ catalog, terminal }, id)).rejects.toThrow(
    `parked record '${id}': expected the id of an open one`,
  )
  expect((await list()).groups.map(({ reason }) => reason)).toEqual(['BAD_PRICE', 'BAD_PRICE'])
})
