import { descriptionOf, gatesBy, PRICE_GATE } from '@catalog/aggregator/matching/candidate-gates.ts'
import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import { sourceIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { contradictionBetween, contradictionSubjects } from '@catalog/core/matching/contradictions.ts'
import { areSoldAlike } from '@catalog/core/matching/sku-pair.ts'
import { foldText } from '@catalog/core/text.ts'
import { languageOf } from '@catalog/sample-files/goods.ts'
import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import type { SampleSku, SampleVendor } from '@catalog/sample-files/vendors.ts'
import { itemsOfSkus, openSampleDay } from '@catalog/stack/path/sample-catalog.ts'
import type { TestCatalog } from '@catalog/stack/testing/cli.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const sample = loadSample(sampleTexts())

/** What keeps two SKUs apart that contradict in nothing: the gates of the learned rule and of prices. */
const CONTENTS = 'contents'
const GATES = [...contradictionSubjects(), CONTENTS, PRICE_GATE]

type Offer = Readonly<ReturnType<typeof offerOf>>

function offerOf(vendor: SampleVendor, sku: SampleSku) {
  const { name, unit, product, pack, gtin } = sku
  const lang = languageOf(vendor.locale)
  const sourceId = sourceIdOf({ name: vendor.name, region: vendor.region })
  const vendorSkuId = vendorSkuIdOf(sourceId, sku.ref)
  const text = {
    vendorSkuId,
    sourceId,
    name,
    lang,
    unit,
    ...(pack && { pack }),
    ...(gtin && { gtin }),
    categoryPath: product.category[lang] ?? product.category.en,
  }
  return { vendor, sku, vendorSkuId, text, words: new Set(foldText(name).match(/\p{L}{3,}/gu)) }
}

/** Names with at most one word of three letters that the other lacks, and at most two on the other side. */
function areNearTwins(a: Offer, b: Offer): boolean {
  if (a.vendor === b.vendor || a.sku.product === b.sku.product || a.words.isDisjointFrom(b.words)) return false
  const own = [a.words.difference(b.words).size, b.words.difference(a.words).size]
  return Math.min(...own) <= 1 && Math.max(...own) <= 2
}

/** Near twins at two vendors of one market, by what keeps them apart; prices only for planted pairs. */
function nearTwinsByGate(): Map<string, (readonly [Offer, Offer])[]> {
  const offers = sample.vendors.flatMap((vendor) =>
    vendor.skus.filter(({ defect }) => defect === null).map((sku) => offerOf(vendor, sku)),
  )
  const found = new Map<string, (readonly [Offer, Offer])[]>(GATES.map((gate) => [gate, []]))
  for (const market of Map.groupBy(offers, ({ vendor }) => vendor.region).values()) {
    for (const [at, one] of market.entries()) {
      for (const other of market.slice(at + 1)) {
        if (!areNearTwins(one, other)) continue
        const about = contradictionBetween(one.text, other.text)?.about
        const gate = about ?? (areSoldAlike(one.text, other.text) ? PRICE_GATE : CONTENTS)
        if (gate !== PRICE_GATE || [one, other].every(isPlantedForPrice)) found.get(gate)?.push([one, other])
      }
    }
  }
  return found
}
const isPlantedForPrice = ({ sku }: Offer) => plantedFor.get(sku.product) === PRICE_GATE
const plantedFor = new Map(sample.nearTwins.map(({ product, about }) => [product, about]))

const pairs = nearTwinsByGate()
const twinMarkets = new Set([...pairs.values()].flatMap((each) => each.map(([{ vendor }]) => vendor.region)))

let opened: TestCatalog
let items: ReadonlyMap<string, string>

beforeAll(async () => {
  opened = await openSampleDay({ day: '2026-11-20', now: new Date('2026-11-20T06:00:00Z'), regions: twinMarkets })
  items = await itemsOfSkus(opened.catalog)
})
afterAll(() => opened?.[Symbol.asyncDispose]())

test('the projector reads every event that the crawls and the run wrote', async () => {
  const letters = await opened.catalog.store.query(
    `select position, reason, detail from parked where origin = 'projector'`,
  )
  expect(letters).toEqual([])
  expect(await opened.catalog.store.query(`select from proposals limit 1`)).toHaveLength(1)
})

test('every planted good differs from another vendor’s in the subject that its file names', () => {
  const met = new Set(
    [...pairs].flatMap(([gate, each]) => each.flatMap((pair) => pair.map(({ sku }) => `${gate}: ${sku.product.key}`))),
  )
  const missed = sample.nearTwins.filter(({ product, about }) => !met.has(`${about}: ${product.key}`))
  expect(missed.map(({ vendor, about, product }) => `${vendor}, ${about}: ${product.names.en}`)).toEqual([])
})

test.each(GATES)('near twins of one market that differ in %s stand in two items', (gate) => {
  // A good whose code a planted defect gives to another one as well is parked.
  const twins = (pairs.get(gate) ?? []).filter((pair) => pair.every(({ vendorSkuId }) => items.has(vendorSkuId)))
  expect(twins.length, `near twins that differ in ${gate}: plant a pair in near-twins.yaml`).toBeGreaterThan(0)
  const joined = twins.filter(([a, b]) => items.get(a.vendorSkuId) === items.get(b.vendorSkuId))
  expect(joined.map(([a, b]) => `${a.sku.name} | ${b.sku.name}`)).toEqual([])
})

test('only the price keeps the pair apart that is planted for it', () => {
  const described = (pairs.get(PRICE_GATE) ?? []).flat().map(({ vendor, sku, text, vendorSkuId }) => {
    const { name, region, currency } = vendor
    const price = { cents: Math.round(sku.level * 100), currency, per_quantity: 1, kind: 'list', tax: NET } as const
    const source = { id: text.sourceId, name, region, url: null }
    return { vendorSkuId, sourceId: text.sourceId, description: descriptionOf({ text, price, source }) }
  })
  const [one, other] = described
  expect(described).toHaveLength(2)
  expect(one && other && gatesBy(openJoinRule(), []).between(one, other)).toBe(PRICE_GATE)
})
const NET = { included: false }
