import { writeBases, writeItems, writeRuns, writeSkus } from '@catalog/replica/follow/write.ts'
import { addIndexes, createTables, MEMORY, type Tables } from '@catalog/replica/tables.ts'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { ItemFilters, ItemsQuery } from './items-query.ts'
import { readItems } from './listing.ts'

/** The category and those below it. */
const BELOW = {
  cat_r: ['cat_r', 'cat_a', 'cat_b', 'cat_ab'],
  cat_a: ['cat_a', 'cat_ab'],
  cat_ab: ['cat_ab'],
} as const
let tables: Tables
beforeEach(() => {
  tables = createTables(MEMORY)
  addIndexes(tables)
  return () => tables[Symbol.dispose]()
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
function publish(items: ReadonlyMap<number, Item>, seq: number): void {
  tables.transaction(() =>
    writeItems(
      tables,
      [...items].map(([index, item], place) => ({
        item_id: idOf(index),
        seq: BigInt(seq + place),
        merged_into: null,
        public_state: item.active ? stateOf(idOf(index), item) : null,
      })),
    ),
  )
}

function stateOf(
  id: string,
  { name, unit, category, cpv, kind, cents, currency, regions, spanish, day }: Item,
): string {
  return JSON.stringify({
    item: {
      id,
      name,
      unit,
      cpv,
      category_id: category,
      median_price: currency && { cents, currency },
      updated_at: instantOf(day),
    },
    regions,
    markets: [{ region: 'ES', median_price: spanish }],
    ...(kind && { kind }),
  })
}

function endRun(day: number, seq: number): void {
  writeRuns(tables, [{ offset: BigInt(day), as_of: instantOf(day), seq: BigInt(seq), gone_from: null }])
}

/** Puts a SKU of the source into each item that has one. */
function match(items: ReadonlyMap<number, Item>): void {
  const sold = [...items].flatMap(([index, { source }]) => (source === null ? [] : [{ id: idOf(index), source }]))
  tables.transaction(() => {
    writeBases(
      tables,
      sold.map(({ id }) => ({ item_id: id, offset: 0n, basis: '{}', vendor_sku_ids: [`v${id}`] })),
    )
    writeSkus(
      tables,
      sold.map(({ id, source }) => ({
        vendor_sku_id: `v${id}`,
        source_id: `src_${source}`,
        observations: 0,
        seen: [],
      })),
    )
  })
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

test('a walk meets every matching item, exactly once in id order, under any filters, bounds and publications', () => {
  fc.assert(
    fc.property(
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
      (given, { category, ...asked }, order, { limit, ...bounds }, publications) => {
        for (const table of ['items', 'former_items', 'item_regions', 'item_markets', 'item_skus', 'skus', 'runs'])
          tables.run(`delete from ${table}`)
        const items = new Map(given.map((item, index) => [index, item] as const))
        // One run per day.
        let seq = 1
        for (let day = 1; day <= 6; day++) {
          const published = new Map([...items].filter(([, item]) => item.day === day))
          publish(published, seq)
          seq += published.size
          endRun(day, seq - 1)
        }
        match(items)
        const categoryIds = category && BELOW[category as keyof typeof BELOW]
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
          const page = readItems(tables, { ...question, after }, bounds)
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          met.push(...page.rows.map(({ item_id }) => item_id))
          after = page.next ?? undefined
          // A republished item changes, or only gets a new number; its SKUs stay.
          for (const [index, item, changes] of publications.shift() ?? []) {
            const former = items.get(index)
            if (former === undefined) continue
            const next = changes ? { ...item, source: former.source, day: 6 } : { ...former, day: 6 }
            items.set(index, next)
            publish(new Map([[index, next]]), seq++)
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

test('no page scans a whole table: each plan follows an index or the order of the page', () => {
  const COUNT = 5_000
  const items = new Map<number, Item>()
  for (let n = 0; n < COUNT; n++) {
    items.set(n, {
      active: n % 50 !== 0,
      name: `cement no. ${n}`,
      unit: n % 500 === 1 ? 'pallet' : (['kg', 'm²', 'u'][n % 3] as string),
      category: ['cat_r', 'cat_a', 'cat_b', 'cat_ab', 'cat_z'][n % 5] as string,
      cpv: n % 10 === 0 ? `44${String(n).padStart(6, '0')}` : null,
      kind: ['material', 'material', 'work', n % 500 === 1 ? 'hire' : null][n % 4] ?? null,
      cents: (n * 7919) % 50_000,
      currency: n % 4 === 0 ? 'CLP' : 'EUR',
      regions: n % 100 === 1 ? ['UY'] : ['ES', 'EU'],
      spanish: { cents: (n * 104_729) % 50_000, currency: 'EUR' },
      source: n % 500 === 1 ? 2 : 1,
      day: 1 + Math.floor((n * 20) / COUNT),
    })
  }
  publish(items, 1)
  match(items)
  for (let day = 1; day <= 20; day++) endRun(day, (day * COUNT) / 20)
  const below = BELOW.cat_r
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
    { itemIds: [1, 2, 4_001].map(idOf) },
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
  const explaining: Tables = {
    ...tables,
    all(sql, ...values) {
      const plan = tables.all<{ detail: string }>(`explain query plan ${sql}`, ...values).map(({ detail }) => detail)
      expect([sql, plan.filter((step) => isWhole(step, plan))]).toEqual([sql, []])
      return tables.all(sql, ...values)
    },
  }
  for (const order of ORDERS) {
    for (const question of order === 'id' || order === 'seq' ? questions : sorted) {
      const { next } = readItems(tables, { ...question, order, limit: 50 })
      readItems(explaining, { ...question, order, limit: 50, after: next ?? undefined })
    }
  }
})

/** Whether a step of a plan reads all rows of a table before the first one is shown. */
const isWhole = (step: string, plan: readonly string[]) =>
  /^SCAN (items|i|m|r|k|item_\w+|skus)\b/.test(step) && plan.some((other) => other.startsWith('USE TEMP B-TREE'))
