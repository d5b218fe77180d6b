import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawlInputs, inputsOf } from '@catalog/cli/crawl/crawl-inputs.ts'
import { showDeadLetter } from '@catalog/cli/review/decision-lists.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { resolveDeadLetters } from '@catalog/operations/decisions/dead-letters.ts'
import { editDeadLetter } from '@catalog/operations/decisions/edit-dead-letter.ts'
import { retract } from '@catalog/operations/decisions/retract.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { listening, openTestCatalog, type TestCatalog } from '@catalog/stack/testing/cli.ts'
import { openDeadLetters, readCounts } from '@catalog/store/builds/status.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let opened: TestCatalog
let folder: string
let catalog: Catalog
beforeEach(async () => {
  opened = await openTestCatalog()
  ;({ catalog, folder } = opened)
})
afterEach(() => opened[Symbol.asyncDispose]())

const HEAD = 'ref;name;unit;price;currency;date'
async function crawled(lines: readonly string[], { name = 'Norte', head = HEAD } = {}) {
  const path = join(folder, `${name}.csv`)
  writeFileSync(path, [head, ...lines].join('\n'))
  await crawlInputs(catalog, listening().terminal, inputsOf([path], { source: 'Norte', region: 'ES' }))
  await catalog.catchUp()
}
const open = () => openDeadLetters(catalog.store, { limit: 100 })
const idOf = async (reason: string) => (await open()).find((record) => record.reason === reason)?.parked_id as string
const edited = async (id: string, set: string[]) => {
  const { value } = await editDeadLetter(catalog, { id, set, reason: 'asked the vendor' })
  await catalog.catchUp()
  return value as Record<string, unknown>
}
const holds = async () => expect((await verify(catalog)).filter(({ ok }) => !ok)).toEqual([])
const GOOD = 'D;Tile;m2;1,50;EUR;01/02/2026'

describe('a record with a bad date', () => {
  beforeEach(() => crawled([GOOD, 'C;Lime;kg;1.250,50;EUR;31/02/2026']))

  test('is recorded as its file is read, once the date is corrected, and closed', async () => {
    const id = await idOf('BAD_DATE')
    expect(await edited(id, ['observed_at=28/02/2026'])).toMatchObject({
      parked_id: id,
      vendor_ref: 'C',
      name: 'Lime',
      unit: 'kg',
      price: { cents: 125_050, currency: 'EUR' },
      observed_at: '2026-02-28T00:00:00Z',
    })
    expect(await open()).toEqual([])
    expect(await readCounts(catalog.store)).toMatchObject({ observations: 2, sources: 1, parked: 0 })
    await holds()
  })

  test('shows its texts by key, and the command that corrects it', async () => {
    const { heard, terminal } = listening({ json: false })
    await showDeadLetter({ catalog, terminal }, await idOf('BAD_DATE'))
    expect(heard.text).toMatch(/observed_at +31\/02\/2026/)
    expect(heard.next).toContain('--set KEY=VALUE')
  })

  test('stays parked after a change that mends nothing', async () => {
    for (const [set, message] of [
      [['observed_at=30/02/2026'], "BAD_DATE: '30/02/2026'"],
      [['name=Lime'], 'nothing was changed'],
      [['trust=100'], "'trust': expected one of vendor_ref, name"],
      [['source=Other'], "'source': expected one of"],
      [['observed_at'], "--set 'observed_at': expected key=value"],
    ] as const) {
      await expect(edited(await idOf('BAD_DATE'), [...set])).rejects.toThrow(message)
      expect(await open()).toHaveLength(1)
    }
  })
})

describe('a later good delivery', () => {
  test('of the same reference and instant closes the dead letter', async () => {
    await crawled([GOOD, 'A;Brick;u;x;EUR;01/02/2026'])
    expect(await open()).toHaveLength(1)
    await crawled([GOOD, 'A;Brick;u;0,40;EUR;01/02/2026'])
    expect(await open()).toEqual([])
    expect((await readCounts(catalog.store)).parked).toBe(0)
    await holds()
  })

  test('that is retracted leaves it open again', async () => {
    await crawled([GOOD, 'A;Brick;u;x;EUR;01/02/2026'])
    await crawled([GOOD, 'A;Brick;u;0,40;EUR;01/02/2026'])
    expect(await open()).toEqual([])
    const [crawl] = await catalog.store.query<{ id: string }>(
      `select crawl_id as id from crawls order by crawl desc limit 1`,
    )
    await retract(catalog, { crawl: crawl?.id as string, reason: 'a mistake', dryRun: false })
    await catalog.catchUp()
    expect(await open()).toHaveLength(1)
  })

  test('of another instant or reference leaves it open', async () => {
    await crawled([GOOD, 'A;Brick;u;x;EUR;01/02/2026'])
    await crawled(['A;Brick;u;0,40;EUR;02/02/2026', 'B;Brick;u;0,40;EUR;01/02/2026'])
    expect(await open()).toHaveLength(1)
  })

  test('does not count when it came before, or in the same crawl', async () => {
    await crawled(['A;Brick;u;0,40;EUR;01/02/2026'])
    await crawled(['A;Brick;u;x;EUR;01/02/2026', 'A;Brick;u;0,50;EUR;01/02/2026'])
    expect(await open()).toHaveLength(1)
  })
})

describe('two records under one reference', () => {
  const lines = [GOOD, 'A;Brick;u;0,40;EUR;01/02/2026', 'A;Brick;m2;14,40;EUR;01/02/2026']

  test('name the columns that differ and the mapping that tells them apart', async () => {
    await crawled(lines)
    const details = (await open()).map(({ detail }) => detail).sort()
    expect(details).toEqual([
      "several records have this vendor_ref with another 'name' or 'unit': expected one name and unit; a mapping with vendor_ref: [ref, unit] tells them apart",
      "several records have this vendor_ref with another 'unit' ('u' and 'm2'): expected one name and unit; a mapping with vendor_ref: [ref, unit] tells them apart",
    ])
  })

  test('are told apart by hand, one by one', async () => {
    await crawled(lines)
    for (const { parked_id, read_as } of await open()) {
      const { unit } = JSON.parse(read_as as string).fields
      const { observation_id } = await edited(parked_id, [`vendor_ref=A ${unit}`])
      expect(observation_id).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(await open()).toEqual([])
    expect(await readCounts(catalog.store)).toMatchObject({ observations: 3, vendor_skus: 3 })
  })

  test('stay parked when nothing is changed', async () => {
    await crawled(lines)
    const [record] = await open()
    await expect(edited(record?.parked_id as string, ['unit=u'])).rejects.toThrow('nothing was changed')
    expect(await open()).toHaveLength(2)
    expect((await readCounts(catalog.store)).observations).toBe(1)
  })

  test('are closed as a group', async () => {
    await crawled(lines)
    const resolve = (options: { ids?: string[]; of?: string; source?: string }) =>
      resolveDeadLetters(catalog, {
        ids: [],
        as: 'recorded',
        reason: 'crawled by a mapping',
        ...options,
      })
    await expect(resolve({})).rejects.toThrow('expected ids, or --of CODE')
    await resolve({ of: 'SKU_CONFLICT', source: 'Norte' })
    await catalog.catchUp()
    expect(await open()).toEqual([])
  })
})

test('a record that was not read as a product cannot be edited', async () => {
  await crawled([GOOD])
  const path = join(folder, 'bad.jsonl')
  writeFileSync(path, '{"ref": "A", "name": \n')
  await crawlInputs(catalog, listening().terminal, inputsOf([path], { source: 'Norte', region: 'ES' }))
  await catalog.catchUp()
  const [record] = await open()
  await expect(edited(record?.parked_id as string, ['name=x'])).rejects.toThrow('it was not read as a product')
})
