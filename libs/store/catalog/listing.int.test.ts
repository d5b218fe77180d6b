import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { type Queryable, rowsParameter } from '@catalog/store/db.ts'
import type { ItemFilters, ItemsQuery } from '@catalog/store/lists/items-query.ts'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readCategoriesBelow, readItems } from './listing.ts'

const store = await storeOfFile()
beforeAll(async () => {
  // The plans under test are those without statistics, and those with statistics of the full tables. On a busy server
  // autovacuum would gather others meanwhile.
  for (const table of ['items', 'item_regions', 'item_markets', 'item_keys', 'memberships', 'vendor_skus'])
    await store.query(`alter table ${table} set (autovacuum_enabled = false)`)
})
beforeEach(async () => {
  await store.query(
    `truncate items, item_regions, item_markets, categories, sources, vendor_skus, run_marks restart identity cascade`,
  )
  await store.query(
    `insert into categories values ('cat_r', null, 'Root', 0), ('cat_a', 'cat_r', 'A', 1), ('cat_b', 'cat_r', 'B', 1),
       ('cat_ab', 'cat_a', 'Below A', 2), ('cat_z', null, 'Other', 0)`,
  )
  await store.query(`insert into sources (source_id) values ('src_1'), ('src_2')`)
})

type Item = {
  active: boolean
  name: string
  unit: string | null
  category: string | null
  cpv: string | null
  kind: string | null
  cents: number
  currency: string | null
  regions: string[]
  spanish: { cents: number; currency: string } | null
  source: number | null
  /** Day of November of its last change. */
  day: number
}

const idOf = (index: number) => `ci_${String(index).padStart(6, '0')}`
const instantOf = (day: number) => `2026-11-${String(day).padStart(2, '0')}T02:00:00Z`

/** Writes items as a publication does; `seq` is the number of the first. */
async function publish(items: ReadonlyMap<number, Item>, seq: number): Promise<void> {
  const rows = [...items].map(([index, item], place) => ({
    ...item,
    id: idOf(index),
    seq: seq + place,
    json: JSON.stringify({
      unit: item.unit,
      cpv: item.cpv,
      median_price: item.currency && { cents: item.cents, currency: item.currency },
      updated_at: instantOf(item.day),
    }),
    spanish: item.spanish && JSON.stringify(item.spanish),
  }))
  const batch = `jsonb_to_recordset($1::jsonb) as batch (id text, seq bigint, active boolean, name text, category text,
    kind text, json text, regions text[], spanish text, source int)`
  await store.transaction(async (tx) => {
    await tx.query(
      `insert into items select id, 1, seq, case when active then 'active' else 'gone' end, null, '{"filler":"' || repeat('state ', 100) || '"}', json,
         '', '', name, name, category, '{}', repeat('basis ', 100), 'run', now(), kind from ${batch}
       on conflict (item_id) do update set seq = excluded.seq, state = excluded.state, item_json = excluded.item_json,
         name = excluded.name, folded_name = excluded.folded_name, category_id = excluded.category_id, kind = excluded.kind`,
      [rowsParameter(rows)],
    )
    await tx.query(`delete from item_regions using ${batch} where item_id = id`, [rowsParameter(rows)])
    await tx.query(`delete from item_markets using ${batch} where item_id = id`, [rowsParameter(rows)])
    await tx.query(`insert into item_regions select unnest(regions), id from ${batch} where active`, [
      rowsParameter(rows),
    ])
    await tx.query(`insert into item_markets select id, 'ES', spanish from ${batch} where active`, [
      rowsParameter(rows),
    ])
  })
}

/** Puts a SKU of the source into each item that has one. */
async function match(items: ReadonlyMap<number, Item>): Promise<void> {
  const rows = [...items].flatMap(([index, { source }]) => (source === null ? [] : [{ id: idOf(index), source }]))
  await store.query(
    `with batch as (select * from jsonb_to_recordset($1::jsonb) as batch (id text, source int)),
     skus as (insert into vendor_skus (vendor_sku_id, source, vendor_ref) select 'v' || id, source, id from batch
       returning sku, source, vendor_ref),
     keys as (insert into item_keys (item_id, founder, founding_n) select vendor_ref, sku, 0 from skus
       returning item, founder)
     insert into memberships select sku, item, source from skus join keys on founder = sku`,
    [rowsParameter(rows)],
  )
}

function matches([index, item]: readonly [number, Item], asked: Omit<ItemsQuery, 'order' | 'limit'>): boolean {
  const shown = asked.priceRegion === undefined ? item.currency && item : item.spanish
  return (
    item.active &&
    (asked.region === undefined || item.regions.includes(asked.region)) &&
    (asked.q === undefined || asked.q.split(' ').every((word) => item.name.includes(word))) &&
    (asked.categoryIds === undefined || asked.categoryIds.includes(item.category ?? '')) &&
    (asked.kind === undefined || item.kind === asked.kind) &&
    (asked.unit === undefined || item.unit === asked.unit) &&
    (asked.cpv === undefined || item.cpv?.startsWith(asked.cpv) === true) &&
    (asked.itemIds === undefined || asked.itemIds.includes(idOf(index))) &&
    (asked.sourceId === undefined || asked.sourceId === `src_${item.source}`) &&
    (asked.updatedSince === undefined || instantOf(item.day) >= asked.updatedSince) &&
    (asked.currency === undefined || (shown !== null && shown !== '' && shown.currency === asked.currency)) &&
    (asked.priceMin === undefined || (shown as Item).cents >= asked.priceMin) &&
    (asked.priceMax === undefined || (shown as Item).cents <= asked.priceMax)
  )
}

/** The values by which an order places an item; ids and numbers ascend in the order in which items were published. */
function keysOf([index, item]: readonly [number, Item], { order, priceRegion }: ItemsQuery): (string | number)[] {
  const shown = priceRegion === undefined ? item.currency && item : item.spanish
  const price = shown ? [0, shown.currency as string, shown.cents] : [1]
  return [...(order === 'name' ? [item.name] : order === 'seq' || order === '-seq' ? [item.day] : price), idOf(index)]
}

/** The ids in the order of the question, of items that nothing changed since. */
function inOrder(items: readonly (readonly [number, Item])[], question: ItemsQuery): string[] {
  const { order } = question
  const isPriced = ([first]: readonly unknown[]) => !order.endsWith('price') || first === 0
  return items
    .map((item) => ({ id: idOf(item[0]), keys: order === 'id' ? [idOf(item[0])] : keysOf(item, question) }))
    .sort((a, b) => {
      const unlike = a.keys.findIndex((key, at) => key !== b.keys[at])
      const isLess = (a.keys[unlike] as string) < (b.keys[unlike] as string)
      const isReversed = order.startsWith('-') && isPriced(a.keys) && isPriced(b.keys)
      return isLess === isReversed ? 1 : -1
    })
    .map(({ id }) => id)
}

const itemOf: fc.Arbitrary<Item> = fc.record({
  active: fc.constantFrom(true, true, true, false),
  name: fc.constantFrom('grey cement', 'white cement', 'steel 100%', 'sand_0'),
  unit: fc.constantFrom('kg', 'm²', null),
  category: fc.constantFrom('cat_r', 'cat_a', 'cat_b', 'cat_ab', 'cat_z', null),
  cpv: fc.constantFrom('44110000-4', '44112000', '45000000', null),
  kind: fc.constantFrom('material', 'work', null),
  cents: fc.integer({ min: 0, max: 9 }),
  currency: fc.constantFrom('EUR', 'EUR', 'CLP', null),
  regions: fc.constantFrom(['ES', 'EU'], ['EU'], ['UY']),
  spanish: fc.option(fc.record({ cents: fc.integer({ min: 0, max: 9 }), currency: fc.constantFrom('EUR', 'USD') }), {
    nil: null,
  }),
  source: fc.constantFrom(1, 2, null),
  day: fc.integer({ min: 1, max: 6 }),
})

/** Up to three filters at once; more would select nothing. A price range needs its currency. */
const filters = fc
  .record({
    region: fc.constantFrom('ES', 'EU'),
    q: fc.constantFrom('cement', 'grey cement', '%', '_0'),
    category: fc.constantFrom('cat_r', 'cat_a', 'cat_ab'),
    kind: fc.constantFrom('material', 'work', 'hire'),
    unit: fc.constantFrom('kg', 'm²'),
    cpv: fc.constantFrom('44', '4411', '44110000-4'),
    itemIds: fc.constant([0, 3, 7, 8, 90].map(idOf)),
    price: fc.record({
      currency: fc.constantFrom('EUR', 'EUR', 'USD'),
      priceMin: fc.constantFrom(undefined, 0, 3, 5),
      priceMax: fc.constantFrom(undefined, 5, 7, 9),
    }),
    priceRegion: fc.constant('ES'),
    sourceId: fc.constantFrom('src_1', 'src_2'),
    updatedSince: fc.integer({ min: 1, max: 6 }).map(instantOf),
  })
  .chain((all) => fc.shuffledSubarray(Object.entries(all), { maxLength: 3 }))
  .map((some) => {
    const { price, ...rest } = Object.fromEntries(some) as {
      category?: string
      price?: Pick<ItemsQuery, 'currency' | 'priceMin' | 'priceMax'>
    } & ItemFilters
    return { ...rest, ...price }
  })

const ORDERS = ['id', 'seq', '-seq', 'name', 'price', '-price'] as const

test('a walk meets every matching item, exactly once in id order, under any filters, bounds and publications', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(itemOf, { minLength: 1, maxLength: 24 }),
      filters,
      fc.constantFrom(...ORDERS),
      fc.record({
        limit: fc.integer({ min: 1, max: 5 }),
        narrowMax: fc.integer({ min: 1, max: 12 }),
        examinedFirst: fc.integer({ min: 1, max: 4 }),
        examinedMax: fc.integer({ min: 1, max: 8 }),
      }),
      // Without publications, the order is exact.
      fc
        .constantFrom(0, 6)
        .chain((maxLength) =>
          fc.array(fc.array(fc.tuple(fc.nat(23), itemOf, fc.boolean()), { maxLength: 3 }), { maxLength }),
        ),
      async (given, { category, ...asked }, order, { limit, ...bounds }, publications) => {
        await store.query(`truncate items, item_regions, item_markets, item_keys, vendor_skus, run_marks cascade`)
        const items = new Map(given.map((item, index) => [index, item] as const))
        // One run per day.
        let seq = 1
        for (let day = 1; day <= 6; day++) {
          const published = new Map([...items].filter(([, item]) => item.day === day))
          await publish(published, seq)
          seq += published.size
          await store.query(`insert into run_marks values ($1, $2, $3, $4, 0)`, [
            `r${day}`,
            instantOf(day),
            seq - 1,
            day,
          ])
        }
        await match(items)
        const categoryIds = category && (await readCategoriesBelow(store, category))
        const question = { ...asked, ...(categoryIds && { categoryIds }), order, limit }
        const matching = () =>
          new Set([...items].flatMap(([i, item]) => (matches([i, item], question) ? [idOf(i)] : [])))
        let always = matching()
        const ever = matching()
        const isStill = publications.flat().length === 0
        const still = inOrder(
          [...items].filter((item) => matches(item, question)),
          question,
        )

        const met: string[] = []
        let after: string | undefined
        do {
          const page = await readItems(store, { ...question, after }, bounds)
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          met.push(...page.rows.map(({ item_id }) => item_id))
          after = page.next ?? undefined
          // A republished item changes, or only gets a new number; its SKUs stay.
          for (const [index, item, changes] of publications.shift() ?? []) {
            const former = items.get(index)
            if (former === undefined) continue
            const next = changes ? { ...item, source: former.source, day: 6 } : { ...former, day: 6 }
            items.set(index, next)
            await publish(new Map([[index, next]]), seq++)
            const now = matching()
            always = always.intersection(now)
            for (const id of now) ever.add(id)
          }
        } while (after !== undefined)

        if (isStill) expect(met).toEqual(still)
        // In other orders a change may move an item behind the reader.
        if (order === 'id' || order === 'seq') for (const id of always) expect(met).toContain(id)
        for (const id of met) expect(ever).toContain(id)
        if (order === 'id') expect(met).toEqual([...new Set(met)].sort())
      },
    ),
    { numRuns: 60 },
  )
})

/** Rows that a plan read from tables, and the tables that it scanned completely. */
function costOf(plan: Plan): { rows: number; scanned: string[] } {
  const { rows, scanned } = (plan.Plans ?? [])
    .map(costOf)
    .reduce((a, b) => ({ rows: a.rows + b.rows, scanned: [...a.scanned, ...b.scanned] }), { rows: 0, scanned: [] })
  const table = plan['Relation Name']
  if (table === undefined) return { rows, scanned }
  const read = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const isScanned = plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0
  return { rows: rows + read * plan['Actual Loops'], scanned: isScanned ? [...scanned, table] : scanned }
}
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

test('no page scans a whole table or examines more items than its bounds allow', async () => {
  const COUNT = 50_000
  for (let first = 0; first < COUNT; first += 10_000) {
    const items = new Map<number, Item>()
    for (let n = first; n < first + 10_000; n++) {
      items.set(n, {
        active: n % 50 !== 0,
        name: `cement no. ${n}`,
        unit: n % 5_000 === 1 ? 'pallet' : (['kg', 'm²', 'u'][n % 3] as string),
        category: ['cat_r', 'cat_a', 'cat_b', 'cat_ab', 'cat_z'][n % 5] as string,
        cpv: n % 10 === 0 ? `44${String(n).padStart(6, '0')}` : null,
        kind: ['material', 'material', 'work', n % 5_000 === 1 ? 'hire' : null][n % 4] ?? null,
        cents: (n * 7919) % 50_000,
        currency: n % 4 === 0 ? 'CLP' : 'EUR',
        regions: n % 100 === 1 ? ['UY'] : ['ES', 'EU'],
        spanish: { cents: (n * 104_729) % 50_000, currency: 'EUR' },
        source: n % 5_000 === 1 ? 2 : 1,
        day: 1 + Math.floor((n * 20) / COUNT),
      })
    }
    await publish(items, first + 1)
    await match(items)
  }
  for (let day = 1; day <= 20; day++) {
    await store.query(`insert into run_marks values ($1, $2, $3, $4, 0)`, [
      `r${day}`,
      instantOf(day),
      (day * COUNT) / 20,
      day,
    ])
  }
  const below = await readCategoriesBelow(store, 'cat_r')
  const questions: Omit<ItemsQuery, 'order' | 'limit'>[] = [
    {},
    { region: 'ES' },
    { region: 'UY' },
    { unit: 'kg' },
    { kind: 'material' },
    { kind: 'hire' },
    { kind: 'labour' },
    { unit: 'pallet' },
    { unit: 'none' },
    { cpv: '44' },
    { cpv: '44000010' },
    { cpv: '99' },
    { itemIds: [1, 2, 40_001].map(idOf) },
    { categoryIds: ['cat_ab'] },
    { categoryIds: below },
    { sourceId: 'src_1' },
    { sourceId: 'src_2' },
    { currency: 'EUR' },
    { currency: 'CLP' },
    { currency: 'XXX' },
    { currency: 'EUR', priceRegion: 'ES' },
    ...[{}, { priceRegion: 'ES' }].flatMap((region) => [
      { ...region, currency: 'EUR', priceMin: 100, priceMax: 120 },
      { ...region, currency: 'EUR', priceMin: 100, priceMax: 1_000 },
      { ...region, currency: 'EUR', priceMin: 10_000, priceMax: 30_000 },
    ]),
    ...[1, 10, 20, 25].map((day) => ({ updatedSince: instantOf(day) })),
    { q: 'cement' },
    { q: '49999' },
    { q: 'nothing' },
    {
      unit: 'kg',
      currency: 'CLP',
      priceMin: 0,
      priceMax: 10,
      region: 'UY',
      sourceId: 'src_2',
      q: '1',
      categoryIds: below,
    },
  ]
  const sorted: typeof questions = [
    {},
    { region: 'ES' },
    { priceRegion: 'ES' },
    { currency: 'EUR', priceMin: 10_000, priceMax: 30_000 },
    { currency: 'EUR', priceMin: 10_000, priceMax: 30_000, priceRegion: 'ES' },
    { q: 'nothing' },
  ]
  let most = 0
  for (const statistics of ['none', 'known']) {
    if (statistics === 'known') await store.query('analyze')
    for (const order of ORDERS) {
      const asked = order === 'id' || order === 'seq' ? questions : sorted
      for (const question of asked) {
        let rows = 0
        const explaining: Queryable = {
          async query<Row extends object>(sql: string, parameters: readonly unknown[] = []) {
            const [answer] = await store.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
              `explain (analyze, format json) ${sql}`,
              parameters,
            )
            const cost = costOf((answer as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan)
            // These tables have few rows.
            const scanned = cost.scanned.filter((table) => !['run_marks', 'sources'].includes(table))
            expect([statistics, order, question, scanned]).toEqual([statistics, order, question, []])
            rows += cost.rows
            return await store.query<Row>(sql, parameters)
          },
        }
        const { next } = await readItems(store, { ...question, order, limit: 50 })
        await readItems(explaining, { ...question, order, limit: 50, after: next ?? undefined })
        most = Math.max(most, rows)
      }
    }
  }
  expect(most).toBeLessThan(30_000)
})
