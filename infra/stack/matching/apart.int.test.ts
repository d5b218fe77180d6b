import { APART, PAIRS } from '@catalog/cli/review/review-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import { confirmItem } from '@catalog/operations/decisions/apart.ts'
import { mergeItems, rejectPair, splitSkus } from '@catalog/operations/decisions/items.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { plainRule } from '@catalog/stack/path/plain-rule.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const path = await pathOfFile({ joinRule: plainRule().rule })
beforeEach(() => path.reset())

/** Runs a command and returns its answer and its text. */
async function run(command: Parameters<typeof heardBy>[1]) {
  const heard = await heardBy(
    catalogOf(path, () => new Date('2026-01-20T00:00:00Z')),
    command,
  )
  return { value: heard.answers[0], text: heard.text }
}
type Apart = {
  items: { item_id: string; ratio: number; groups: { source: string; vendor_sku_id: string }[][] }[]
  cursor: string | null
}
const listed = async (options = {}) =>
  (await run((catalog, terminal) => showList(APART, { catalog, terminal }, { limit: 50, ...options }))).value as Apart
const reason = 'read on site'
const VENDORS = ['Norte', 'Leeds', 'Lyon', 'Sur', 'Bilbao']
const offer = (vendor: string, name: string, cents: number, ref = name) =>
  observation({ vendor, ref, name, unit: 'm2', cents, at: '2026-01-05T06:00:00Z' })
const registrations = VENDORS.map((vendor) => registration({ vendor }))
const BOARD = 'Placa de yeso laminado 12,5 mm'

/** Three vendors at 5 euros and two at 14: one name, two products. */
async function givenTwoProductsUnderOneName() {
  await path.append([...registrations, ...VENDORS.map((vendor, n) => offer(vendor, BOARD, n < 3 ? 500 + n : 1400 + n))])
  await path.run('2026-01-10T00:00:00Z')
}
const products = async () =>
  (
    await path.store.query<{ vendors: number }>(
      `select count(*)::int as vendors from memberships group by item order by vendors`,
    )
  ).map(({ vendors }) => vendors)

describe('an item whose vendors stand apart', () => {
  test('is listed with the groups that would mend it', async () => {
    await givenTwoProductsUnderOneName()
    const { items, cursor } = await listed()
    expect(cursor).toBeNull()
    expect(items.map(({ ratio, groups }) => [ratio, groups.map((group) => group.map(({ source }) => source))])).toEqual(
      [
        [
          2.81,
          [
            ['Norte', 'Leeds', 'Lyon'],
            ['Sur', 'Bilbao'],
          ],
        ],
      ],
    )
    const { text } = await run((catalog, terminal) => showList(APART, { catalog, terminal }, { limit: 50 }))
    expect(text).toContain('stand 2.81 times apart')
    expect(text).toMatch(/split: catalog review split vsku_\w+ vsku_\w+ --reason/)
  })

  test('is split, and the two groups never come together again', async () => {
    await givenTwoProductsUnderOneName()
    const [smallest] = (await listed()).items[0]?.groups.toSorted((a, b) => a.length - b.length) ?? []
    const skuIds = smallest?.map(({ vendor_sku_id }) => vendor_sku_id) as string[]
    await run((catalog) => splitSkus(catalog, { skuIds, reason }))
    await path.run('2026-01-21T00:00:00Z')
    expect(await products()).toEqual([2, 3])
    expect((await listed()).items).toEqual([])
    const before = await path.roots()
    await path.rebuild()
    expect(await path.roots()).toEqual(before)
    await path.run('2026-01-22T00:00:00Z', { full: true })
    expect(await products()).toEqual([2, 3])
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  })

  test('is kept until another vendor joins it', async () => {
    await givenTwoProductsUnderOneName()
    const [item] = (await listed()).items
    await run((catalog) => confirmItem(catalog, { itemId: item?.item_id as string, reason }))
    expect((await listed()).items).toEqual([])
    await path.append([registration({ vendor: 'York' }), offer('York', BOARD, 1500)])
    await path.run('2026-01-21T00:00:00Z')
    expect((await listed()).items.map(({ groups }) => groups.map((group) => group.length))).toEqual([[3, 3]])
  })
})

test('an unknown item cannot be kept', async () => {
  await expect(run((c) => confirmItem(c, { itemId: 'ci_none', reason: 'seen' }))).rejects.toThrow(
    "item 'ci_none': expected one with vendors",
  )
})

test('pages of items go on where they ended', async () => {
  await path.append([
    ...registrations,
    ...['Ladrillo perforado', 'Teja curva', 'Lana de roca 60 mm'].flatMap((name) => [
      offer('Norte', name, 500),
      offer('Leeds', name, 1500),
    ]),
  ])
  await path.run('2026-01-10T00:00:00Z')
  const first = await listed({ limit: 2 })
  expect(first.items.length).toBe(2)
  const second = await listed({ limit: 2, after: first.cursor })
  expect(second.cursor).toBeNull()
  expect(new Set([...first.items, ...second.items].map(({ item_id }) => item_id)).size).toBe(3)
})

describe('a pair that no rule decides', () => {
  const pair = [offer('Norte', BOARD, 500), offer('Leeds', 'Plasterboard rail 12.5 mm', 520)]
  beforeEach(async () => {
    await path.append([...registrations, ...pair])
    await path.run('2026-01-10T00:00:00Z')
  })

  const open = () => run((catalog, terminal) => showList(PAIRS, { catalog, terminal }, { limit: 50 }))
  type Open = {
    pairs: { a: { vendor_sku_id: string; item_id: string }; b: { vendor_sku_id: string; item_id: string } }[]
  }
  const onlyPair = async () => ((await open()).value as Open).pairs[0] as Open['pairs'][number]

  test('shows names, attributes and prices of both sides, and is merged', async () => {
    const { text } = await open()
    for (const shown of [
      BOARD,
      'Plasterboard rail 12.5 mm',
      '5.00 EUR',
      '5.20 EUR',
      'prices 1.04 times apart',
      '12.5 mm',
    ])
      expect(text).toContain(shown)
    const { a, b } = await onlyPair()
    await run((catalog) => mergeItems(catalog, { from: b.item_id, into: a.item_id, reason }))
    expect(await products()).toEqual([2])
  })

  test('is rejected and never listed again', async () => {
    const { a, b } = await onlyPair()
    await run((catalog) => rejectPair(catalog, { a: a.vendor_sku_id, b: b.vendor_sku_id, reason }))
    expect(await products()).toEqual([1, 1])
    expect((await open()).value).toMatchObject({ pairs: [] })
  })
})
