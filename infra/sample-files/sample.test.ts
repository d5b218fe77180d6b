import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { assign, type MatchSku } from '@catalog/core/matching/match.ts'
import { verdicts } from '@catalog/core/median/verdict.ts'
import { rational } from '@catalog/core/money/rational.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import type { Candidate } from '@catalog/formats/mapping/candidate.ts'
import { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { type Outcome, readOutcomes } from '@catalog/formats/read.ts'
import { crawlDays } from '@catalog/sample-market/calendar.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlantedDefect } from './defects.ts'
import { vendorFile } from './price-list.ts'
import { loadSample, sampleTexts } from './sample.ts'
import { DEFECT_KINDS, type SampleSku } from './vendors.ts'

const texts = sampleTexts()
const sample = loadSample(texts)
const FIRST_START = '2026-11-21'

/** Reads a vendor's list of a day with the product's own reader. */
async function read(vendor: string, day: string): Promise<Outcome[]> {
  const { fileName, bytes, mapping } = vendorFile({ sample, vendor, day })
  const outcomes: Outcome[] = []
  const defaults = { source: 'unnamed', notAfter: new Date(`${day}T00:00:00Z`) }
  for await (const batch of readOutcomes(bytesSource(fileName, bytes), { mapping, defaults })) {
    outcomes.push(...batch.outcomes)
  }
  return outcomes
}

const contentsOf = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ result }) => ('content' in result ? [(result as Candidate).content] : []))

const known = new Map<string, ReturnType<typeof contentsOf>>()
/** The observations of a vendor's list of a day; reads each list once. */
async function observations(vendor: string, day: string) {
  const found = known.get(`${vendor} ${day}`) ?? contentsOf(await read(vendor, day))
  known.set(`${vendor} ${day}`, found)
  return found
}

const planted = (kind: PlantedDefect['kind']) => sample.plantedDefects.filter((defect) => defect.kind === kind)

function skuOf({ vendor, ref }: PlantedDefect): SampleSku {
  const found = sample.vendors.find(({ key }) => key === vendor)?.skus.find((sku) => sku.ref === ref)
  if (found === undefined) throw new Error(`${vendor} ${ref}: expected a SKU`)
  return found
}

function crawledFrom(from: string, crawls: number): string[] {
  return Array.from({ length: crawls }, (_, crawl) => daysAfter(from, 15 * crawl))
}

function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

describe('the market', () => {
  test('has a vendor in every region, and at least four in Spain, the United States, Mexico and Brazil', () => {
    expect(sample.vendors.length).toBeGreaterThanOrEqual(28)
    const vendorsIn = (region: string) => sample.vendors.filter((vendor) => vendor.region === region).length
    for (const region of REGIONS) expect(vendorsIn(region), region).toBeGreaterThanOrEqual(1)
    for (const region of ['ES', 'US', 'MX', 'BR']) expect(vendorsIn(region), region).toBeGreaterThanOrEqual(4)
  })

  test('sells more than 300 goods, most of them by at least three vendors', () => {
    const sellers = Map.groupBy(
      sample.vendors.flatMap(({ skus }) => skus),
      ({ product }) => product.key,
    )
    expect(sellers.size).toBeGreaterThanOrEqual(300)
    expect(sellers.size).toBe(sample.products.length)
    const wellSold = [...sellers.values()].filter((skus) => skus.length >= 3).length
    // A planted near twin has one vendor.
    expect(wellSold / (sellers.size - sample.nearTwins.length)).toBeGreaterThan(0.6)
  })

  test('lists 1,400 to 2,800 codes in all, and at most 120 rows a vendor', () => {
    const total = sample.vendors.reduce((sum, { skus }) => sum + skus.length, 0)
    expect(total).toBeGreaterThanOrEqual(1400)
    expect(total).toBeLessThanOrEqual(2800)
    for (const vendor of sample.vendors) {
      const { bytes } = vendorFile({ sample, vendor: vendor.key, day: FIRST_START })
      const rows = new TextDecoder('latin1').decode(bytes).trimEnd().split('\n').length
      // A price book also has a line for each recipe.
      if (vendor.book === null) expect(rows, vendor.key).toBeLessThanOrEqual(121)
      expect(rows, vendor.key).toBeGreaterThan(20)
    }
  })

  test('sells a common good at least twice in each of the four large markets', () => {
    const common = sample.products.filter(({ isCommon }) => isCommon)
    expect(common.length).toBeGreaterThan(50)
    for (const region of ['ES', 'US', 'MX', 'BR']) {
      const sold = sample.vendors.filter((vendor) => vendor.region === region).flatMap(({ skus }) => skus)
      for (const product of common) {
        const sellers = sold.filter((sku) => sku.product === product).length
        expect(sellers, `${product.key} in ${region}`).toBeGreaterThanOrEqual(2)
      }
    }
  })

  test('lets exact matching join most codes of different vendors, and never two goods', async () => {
    const skus: MatchSku[] = []
    const productOf = new Map<string, string>()
    for (const vendor of sample.vendors) {
      const sound = vendor.skus.filter((sku) => vendor.skus.every((other) => other === sku || other.ref !== sku.ref))
      const goods = new Map(sound.map((sku) => [sku.ref, sku.product.key]))
      for (const found of await observations(vendor.key, FIRST_START)) {
        const product = goods.get(found.vendor_ref)
        const vendorSkuId = vendorSkuIdOf(found.source.id, found.vendor_ref)
        if (product === undefined || productOf.has(vendorSkuId)) continue
        productOf.set(vendorSkuId, product)
        const { name, unit, pack, gtin, manufacturer_ref: manufacturerRef, lang } = found
        skus.push({ vendorSkuId, sourceId: found.source.id, name, unit, pack, gtin, manufacturerRef, lang })
      }
    }
    // The sample gives a code to one good alone, whatever its names in two languages have in common.
    const existing = { byKey: () => [], foundedBefore: () => 0, haveOneMeaning: () => true }
    const assignments = assign(skus, existing)
    const items = [...Map.groupBy(assignments, ({ itemId }) => itemId).values()]
    const shared = items.filter((members) => members.length > 1)
    // Names of one good differ between countries, and planted near twins have one vendor.
    expect(shared.flat().length / skus.length).toBeGreaterThan(0.47)
    const mixed = shared.filter((members) => new Set(members.map((one) => productOf.get(one.vendorSkuId))).size > 1)
    expect(mixed).toEqual([])
  })

  test('prices labour far higher in the United States than in Spain, and far lower in Mexico', () => {
    const hour = (region: string) => {
      const levels = sample.vendors
        .filter((vendor) => vendor.region === region)
        .flatMap(({ skus }) => skus)
        .filter(({ product }) => product.key === 'labour-mason')
        .map(({ level }) => level)
      return Math.min(...levels)
    }
    expect(hour('US')).toBeGreaterThan(2 * hour('ES'))
    // A euro is worth more than ten pesos.
    expect(hour('MX') / 10).toBeLessThan(hour('ES'))
  })
})

describe('a list', () => {
  test.each(sample.vendors.map(({ key }) => key))('of %s is read whole by its own mapping', async (key) => {
    const vendor = sample.vendors.find((one) => one.key === key)
    if (vendor === undefined) throw new Error(key)
    const { mapping } = vendorFile({ sample, vendor: key, day: FIRST_START })
    expect(Mapping.parse(mapping)).toEqual(mapping)

    const outcomes = await read(key, FIRST_START)
    const contents = contentsOf(outcomes)
    const isBroken = vendor.defects.includes('broken_row')
    const { book } = vendor
    const unpriced = book === null ? 0 : 1 + book.chapters.length + book.percentages.length
    expect(outcomes.length - contents.length).toBe(isBroken ? 1 : unpriced)
    const vanished = vendor.skus.filter(({ defect }) => defect === 'vanished_sku').length
    const readable = new Set(contents.map(({ vendor_ref }) => vendor_ref))
    for (const sku of vendor.skus) {
      const found = contents.find(({ vendor_ref, name }) => vendor_ref === sku.ref && name === sku.name)
      if (found === undefined) {
        expect(['broken_row', 'vanished_sku']).toContain(sku.defect)
        continue
      }
      expect(found.source.name).toBe(vendor.name)
      expect(found.source.region).toBe(vendor.region)
      expect(found.observed_at).toBe(`${FIRST_START}T00:00:00Z`)
      expect(found.price.tax.included).toBe(vendor.tax.included)
      expect(found.price.cents).toBeGreaterThan(0)
      if (sku.defect !== 'currency_changed') expect(found.price.currency).toBe(vendor.currency)
      if (sku.pack !== null) expect(found.pack).toEqual(sku.pack)
      if (vendor.columns.gtin !== undefined) expect(found.gtin ?? null).toBe(sku.gtin)
      if (vendor.columns.manufacturer_ref !== undefined) {
        expect(found.manufacturer_ref ?? null).toBe(sku.manufacturerRef)
      }
      if (vendor.columns.category_path !== undefined) expect(found.category_path?.length).toBeGreaterThan(0)
      if (vendor.columns.cpv !== undefined) expect(found.cpv ?? null).toBe(sku.cpv)
      if (vendor.columns.url !== undefined) expect(found.url).toContain('.example/')
    }
    expect(readable.size).toBeGreaterThanOrEqual(vendor.skus.length - 2 - vanished)
  })

  test('writes every unit in a known spelling, with its contents, except planted defects', () => {
    for (const { key, locale, skus, book } of sample.vendors) {
      for (const { unit, pack, product, defect } of skus) {
        const parsed = parseUnit(unit, { lang: locale.slice(0, 2) })
        if (defect === 'unknown_unit') expect(parsed).toBeNull()
        else expect(parsed, `${key} ${product.key} '${unit}'`).not.toBeNull()
        const hasContents = pack !== null || parsed?.pack !== undefined
        // A price book prices contents by their measure.
        const isPacked = product.pack !== undefined && book === null
        if (isPacked && defect === null) expect(hasContents, `${key} '${unit}'`).toBe(true)
      }
    }
  })

  test('states its prices with or without tax as the vendor does', async () => {
    for (const vendor of sample.vendors) {
      const contents = await observations(vendor.key, FIRST_START)
      const ratios = vendor.skus.flatMap((sku) => {
        const found = contents.find(({ name, vendor_ref }) => name === sku.name && vendor_ref === sku.ref)
        if (found === undefined || sku.hasTiers || sku.defect !== null) return []
        const minor = vendor.currency === 'CLP' ? 1 : 100
        return [found.price.cents / minor / found.price.per_quantity / sku.level]
      })
      const mean = ratios.reduce((a, b) => a + b) / ratios.length
      const expected = vendor.tax.included ? 1 + Number(vendor.tax.rate) : 1
      expect(Math.abs(mean / expected - 1), vendor.key).toBeLessThan(0.06)
    }
  })

  test('has the same bytes for one day and any order of files, and other bytes on another day', () => {
    const { products, priceBooks = [] } = texts
    const again = loadSample({ ...texts, products: products.toReversed(), priceBooks: priceBooks.toReversed() })
    for (const { key } of sample.vendors) {
      const list = vendorFile({ sample, vendor: key, day: FIRST_START })
      const repeated = vendorFile({ sample: again, vendor: key, day: FIRST_START })
      expect(repeated.fileName).toBe(list.fileName)
      expect(Buffer.compare(Buffer.from(repeated.bytes), Buffer.from(list.bytes))).toBe(0)
      const later = vendorFile({ sample, vendor: key, day: daysAfter(FIRST_START, 70) })
      expect(Buffer.compare(Buffer.from(later.bytes), Buffer.from(list.bytes))).not.toBe(0)
    }
  })

  test('refuses an unknown vendor and an invalid day by name', () => {
    expect(() => vendorFile({ sample, vendor: 'nobody', day: FIRST_START })).toThrow("vendor 'nobody'")
    const vendor = sample.vendors[0]?.key ?? ''
    expect(() => vendorFile({ sample, vendor, day: '2026-02-30' })).toThrow("day '2026-02-30': expected YYYY-MM-DD")
  })
})

describe('prices', () => {
  test('move each week for about a third of the goods, by 0.5 to 4 %, and otherwise stay to the cent', async () => {
    let compared = 0
    let moved = 0
    for (const { key, skus } of sample.vendors) {
      const sound = new Set(skus.filter(({ defect }) => defect === null).map(({ name }) => name))
      const [before, after] = await Promise.all(
        [FIRST_START, daysAfter(FIRST_START, 7)].map((day) => observations(key, day)),
      )
      for (const old of before ?? []) {
        const now = after?.find(({ name, price }) => name === old.name && price.min_quantity === old.price.min_quantity)
        if (!sound.has(old.name) || now === undefined) continue
        compared++
        const ratio = now.price.cents / now.price.per_quantity / (old.price.cents / old.price.per_quantity)
        if (ratio === 1) continue
        moved++
        // Rounding moves each price by up to 0.25 %, and amounts of a few thousandths by more.
        expect(Math.abs(ratio - 1), `${key} ${old.name}`).toBeLessThan(0.051)
      }
    }
    expect(compared).toBeGreaterThan(1400)
    expect(moved / compared).toBeGreaterThan(0.2)
    expect(moved / compared).toBeLessThan(0.45)
  })

  test('stay within 30 % of their level over ten years', async () => {
    const key = 'base-precios-altozano'
    const vendor = sample.vendors.find((one) => one.key === key)
    for (const year of [2025, 2027, 2030, 2036]) {
      for (const { vendor_ref, price } of await observations(key, `${year}-06-01`)) {
        const level = vendor?.skus.find(({ ref }) => ref === vendor_ref)?.level ?? Number.NaN
        expect(Math.abs(price.cents / price.per_quantity / 100 / level - 1)).toBeLessThan(0.3)
      }
    }
  })
})

describe('planted defects', () => {
  test('cover every kind, each on its own code', () => {
    for (const kind of [...DEFECT_KINDS, 'quantity_tiers', 'tax_included'] as const) {
      expect(planted(kind).length, kind).toBeGreaterThanOrEqual(1)
    }
    const places = sample.plantedDefects.map(({ vendor, ref }) => `${vendor} ${ref}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test('unknown unit: the reader keeps the row, with the unit as a text', async () => {
    for (const { vendor, ref } of planted('unknown_unit')) {
      const [found] = (await observations(vendor, FIRST_START)).filter(({ vendor_ref }) => vendor_ref === ref)
      expect(found?.unit).toBe('tramex')
      expect(found?.pack).toBeUndefined()
    }
  })

  test('broken row: the reader rejects the row with a reason and reads the others', async () => {
    const reasons = new Set<string>()
    for (const defect of planted('broken_row')) {
      const outcomes = await read(defect.vendor, FIRST_START)
      const refused = outcomes.filter(({ result }) => 'reason' in result)
      expect(refused.length).toBe(1)
      expect(refused[0]?.raw).toContain(defect.ref)
      for (const { result } of refused) if ('reason' in result) reasons.add(result.reason)
    }
    expect([...reasons].sort()).toEqual(['BAD_JSON', 'BAD_PRICE', 'WRONG_COLUMN_COUNT'])
  })

  test('price x 100: every crawl history contains one, and the price fence excludes it', async () => {
    const defects = planted('price_x100')
    let excludedSlips = 0
    // Seven consecutive first starts cover all cases: the price error recurs every seventh day.
    for (let shift = 0; shift < 7; shift++) {
      const start = daysAfter(FIRST_START, shift)
      const days = crawlDays({ firstStartDay: start, today: start })
      for (const defect of defects) {
        const { level } = skuOf(defect)
        const crawled = await Promise.all(
          days.map(async (day) => {
            const found = (await observations(defect.vendor, day)).find(({ vendor_ref }) => vendor_ref === defect.ref)
            if (found === undefined) throw new Error(`${defect.vendor} ${day}: expected ${defect.ref}`)
            return { day, price: found.price }
          }),
        )
        const errors = crawled.filter(({ price }) => price.cents / price.per_quantity / 100 > 50 * level)
        expect(errors.length).toBe(1)
        const { excluded } = verdicts({
          kind: 'shop',
          otherPrices: [],
          observations: crawled.map(({ day, price }) => ({
            observationId: day,
            observedAtMs: Date.parse(day),
            currency: price.currency,
            price: rational(BigInt(price.cents), BigInt(price.per_quantity)),
            minQuantity: null,
            override: null,
          })),
        })
        // The very first price has no earlier price to compare with.
        const comparable = errors.map(({ day }) => day).filter((day) => day !== days[0])
        expect([...excluded.keys()].sort()).toEqual(comparable)
        excludedSlips += excluded.size
      }
    }
    expect(excludedSlips).toBe(6 * defects.length)
  })

  test('currency changed: every crawl history contains both currencies, at about the same value', async () => {
    for (const { vendor, ref } of planted('currency_changed')) {
      const home = sample.vendors.find(({ key }) => key === vendor)?.currency ?? ''
      const prices = await Promise.all(
        crawledFrom('2026-08-23', 16).map(async (day) => {
          const found = (await observations(vendor, day)).find(({ vendor_ref }) => vendor_ref === ref)
          return found?.price
        }),
      )
      for (let first = 0; first <= 9; first++) {
        const history = prices.slice(first, first + 7)
        expect(new Set(history.map((price) => price?.currency))).toEqual(new Set([home, 'USD']))
        const worth = (currency: string) => history.find((price) => price?.currency === currency)?.cents ?? 0
        const perDollar = { MXN: 18.6, ARS: 1435 }[home] ?? Number.NaN
        expect(Math.abs(worth(home) / worth('USD') / perDollar - 1)).toBeLessThan(0.3)
      }
    }
  })

  test('vanished: two to four of any seven consecutive lists lack the code', async () => {
    for (const { vendor, ref } of planted('vanished_sku')) {
      const isHeld = await Promise.all(
        crawledFrom('2026-08-23', 16).map(async (day) =>
          (await observations(vendor, day)).some(({ vendor_ref }) => vendor_ref === ref),
        ),
      )
      for (let first = 0; first <= 9; first++) {
        expect([2, 3, 4]).toContain(isHeld.slice(first, first + 7).filter((held) => !held).length)
      }
    }
  })

  test('two goods under one code: the list has the code under two names', async () => {
    for (const { vendor, ref } of planted('two_goods_one_code')) {
      const found = (await observations(vendor, FIRST_START)).filter(({ vendor_ref }) => vendor_ref === ref)
      expect(new Set(found.map(({ name }) => name)).size).toBe(2)
    }
  })

  test('leave every other code with one good', () => {
    const conflicting = new Set(planted('two_goods_one_code').map(({ vendor, ref }) => `${vendor} ${ref}`))
    for (const { key, skus } of sample.vendors) {
      const byRef = Map.groupBy(skus, ({ ref }) => ref)
      for (const [ref, goods] of byRef) expect(goods.length).toBe(conflicting.has(`${key} ${ref}`) ? 2 : 1)
    }
  })

  test('quantity tiers: the unit price falls with the quantity', async () => {
    for (const { vendor, ref } of planted('quantity_tiers')) {
      const tiers = (await observations(vendor, FIRST_START)).filter(({ vendor_ref }) => vendor_ref === ref)
      expect(tiers.map(({ price }) => price.min_quantity)).toEqual(['1', '10', '50'])
      const prices = tiers.map(({ price }) => price.cents / price.per_quantity)
      expect(prices).toEqual([...prices].sort((a, b) => b - a))
      expect(new Set(prices).size).toBe(3)
    }
  })

  test('tax included: the prices state it, with the rate', async () => {
    for (const { vendor, ref } of planted('tax_included')) {
      expect(ref).toBeNull()
      const rate = sample.vendors.find(({ key }) => key === vendor)?.tax.rate
      for (const { price } of await observations(vendor, FIRST_START))
        expect(price.tax).toEqual({ included: true, rate })
    }
  })
})

describe('crawl days', () => {
  const day = fc.integer({ min: 0, max: 40_000 }).map((days) => daysAfter('1980-01-01', days))

  test('cover 90 days of history, the first start and today, ascending, with gaps of at most 15 days', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 800 }), (firstStartDay, age) => {
        const today = daysAfter(firstStartDay, age)
        const days = crawlDays({ firstStartDay, today })
        expect(days).toEqual([...new Set(days)].sort())
        expect(days[0]).toBe(daysAfter(firstStartDay, -90))
        expect(days.at(-1)).toBe(today)
        expect(days).toContain(firstStartDay)
        expect(days.filter((one) => one < firstStartDay).length).toBe(6)
        const gaps = days.slice(1).map((one, i) => (Date.parse(one) - Date.parse(days[i] ?? '')) / DAY_MS)
        expect(Math.max(...gaps)).toBeLessThanOrEqual(15)
      }),
      { numRuns: 100 },
    )
  })

  test('of a later start include all days of an earlier one', () => {
    const earlier = crawlDays({ firstStartDay: FIRST_START, today: '2026-12-21' })
    const later = crawlDays({ firstStartDay: FIRST_START, today: '2027-01-01' })
    expect(later).toEqual([...earlier, '2027-01-01'])
  })

  test('end today, even after the clock was set back', () => {
    const days = crawlDays({ firstStartDay: FIRST_START, today: '2026-10-01' })
    expect(days.at(-1)).toBe('2026-10-01')
    expect(days[0]).toBe(daysAfter(FIRST_START, -90))
  })

  test('refuse an invalid day', () => {
    expect(() => crawlDays({ firstStartDay: '21.11.2026', today: FIRST_START })).toThrow("day '21.11.2026'")
  })
})

describe('loading', () => {
  const boards = (entry: string) => `
trade: boards
kind: material
category: { es: [Placas], en: [Boards], pt: [Chapas] }
products:
  - { key: board, eur: 10, unit: m2, ${entry} names: { es: [Placa], en: [Board], pt: [Chapa] } }`
  const shop = (entry: string) => `
units: { en: { m2: [m2] }, en-US: { m2: [SF] } }
cpv: {}
vendors:
  - key: shop
    name: Shop
    kind: shop
    trust: 60
    tax: { included: false }
    level: 1
    ref: "S####"
    letters: written
    file: { format: csv, delimiter: ",", decimal: ".", encoding: utf-8 }
    columns: { vendor_ref: SKU, name: Name, unit: Unit, price: Price }
    defects: []
    ${entry}`
  const american = 'region: US\n    locale: en-US\n    currency: USD\n    trades: [boards]'
  const load = (vendor: string, product: string) => loadSample({ vendors: shop(vendor), products: [boards(product)] })

  test("converts a price to the measure of the vendor's spelling", () => {
    const [sku] = load(american, '').vendors[0]?.skus ?? []
    expect(sku?.unit).toBe('SF')
    // 10 EUR per m2, level 1.25 of the United States, 1.15 USD a euro, 0.09290304 m2 in a square foot.
    const expected = 10 * 1.25 * 1.15 * 0.09290304
    expect(Math.abs((sku?.level ?? 0) / expected - 1)).toBeLessThanOrEqual(0.07)
  })

  test("scales a price to the region's own pack, a different trade item", () => {
    const bag = boards(
      'gtin: "9521000000377", pack: { quantity: 25, unit: kg }, packs: { US: { quantity: 94, unit: lb } },',
    )
    const [sku] =
      loadSample({ vendors: shop(american), products: [bag.replace('unit: m2', 'unit: bag')] }).vendors[0]?.skus ?? []
    expect(sku?.unit).toBe('94 lb bag')
    expect(sku?.gtin).toBeNull()
    const expected = (10 * 1.25 * 1.15 * 94 * 0.45359237) / 25
    expect(Math.abs((sku?.level ?? 0) / expected - 1)).toBeLessThanOrEqual(0.07)
  })

  test('names the place of a key that it does not know', () => {
    expect(() => load(american, 'colour: red,')).toThrow(/trade: boards[\s\S]*colour[\s\S]*products\[0\]/)
    expect(() => load(american.replace('USD', 'XAU'), '')).toThrow(/vendors\[0\]\.currency/)
  })
})
