import { matchSku } from '@catalog/aggregator/matching/match-sku.ts'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import {
  headlineVotes,
  type ItemName,
  type ItemPublished,
  type Kind,
  type PublicState,
} from '@catalog/core/events/items.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { applyMembership, emptyMembership, type Membership } from '@catalog/core/matching/membership.ts'
import { isHeard } from '@catalog/core/median/eligibility.ts'
import { itemUnitAt } from '@catalog/core/median/item-unit.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { expandedRegions } from '@catalog/core/median/regions.ts'
import { type Repriced, reprice } from '@catalog/core/median/reprice.ts'
import type { Observed, SkuPrices } from '@catalog/core/median/sku-prices.ts'
import { legalVendorOf, settingsOf, voiceAmong } from '@catalog/core/median/source-settings.ts'
import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import { keptPer, openMemo } from '@catalog/core/memo.ts'
import { itemNames, type VendorName } from '@catalog/core/names/item-names.ts'
import { nameLanguage } from '@catalog/core/names/name-language.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { type UnitAliases, withAliases } from '@catalog/core/units/unit-aliases.ts'
import { type AssignedCategory, categoryOf } from '@catalog/embed/categories/category-of.ts'
import { isCpvCode } from '@catalog/embed/categories/cpv.ts'
import { pathIn } from '@catalog/embed/categories/tree.ts'
import type { Queryable } from '@catalog/store/db.ts'
import {
  aliasesOf,
  type Cut,
  membershipEventsAt,
  membershipIsCurrentAt,
  methodAt,
  pricesAt,
  type SkuPriceRows,
  type SkuText,
  type SourceAt,
  visibilityAt,
} from '@catalog/store/vendor/as-of-queries.ts'
import { type ItemMembers, itemMembers } from '@catalog/store/vendor/matching.ts'
import { type VotingFacts, votingFactsAt } from '@catalog/store/vendor/voting-facts.ts'

/** An item computed from the facts at a cut, independent of what was published before. */
export type Evaluated = Readonly<{
  itemId: string
  members: ItemMembers
  prices: readonly SkuPrices[]
  repriced: Repriced
  name: string
  unit: string | null
  cpv: string | null
  /** Of the catalog's tree, told by the vendors' paths and names. */
  category: AssignedCategory | null
  kind: Kind | null
  names: readonly ItemName[]
}>

/** How facts become prices: the method that combines votes, the settings of sources, and the rules for open taxes. */
export type Rule = Readonly<{ method: Method; sources: ReadonlyMap<string, SourceAt>; taxRules: TaxRules }>

/** State shared by all items of a run at one cut. */
export type Evaluator = Readonly<{
  cut: Cut
  /** The rule in force: method and sources as decided up to the cut. */
  rule: Rule
  /** By source: the greatest edition at the cut. */
  editions: ReadonlyMap<string, string>
  /** Reads the facts of these items in the order of the ids; leaves out items that were never founded. */
  read: (itemIds: readonly string[]) => Promise<ItemFacts>
  /** Pure: computes the items from the facts, by the rule in force or the given one. */
  compute: (facts: ItemFacts, rule?: Rule) => readonly Evaluated[]
  evaluate: (itemIds: readonly string[]) => Promise<readonly Evaluated[]>
}>

export type ItemFacts = Readonly<{
  items: readonly ItemMembers[]
  prices: ReadonlyMap<string, SkuPriceRows>
  texts: ReadonlyMap<string, SkuText>
  /** Editions of sources, where they are other than at the cut. */
  editions?: ReadonlyMap<string, string>
}>

/**
 * Opens an evaluator at a cut. It folds the membership at the cut when the stored one is newer, so that later decisions
 * do not show. Throws UnknownMethod.
 */
export async function openEvaluator(store: Queryable, cut: Cut): Promise<Evaluator> {
  const facts = await votingFactsAt(store, cut)
  const present: Rule = { method: await methodAt(store, cut), sources: facts.sources, taxRules: facts.taxRules }
  const aliases = aliasesOf(facts.unitAliases)
  const visibility = await visibilityAt(store, cut)
  const past = await pastMembership(store, cut)
  const read = async (itemIds: readonly string[]): Promise<ItemFacts> => {
    const items = past === null ? await itemMembers(store, itemIds) : itemIds.flatMap((id) => membersIn(past, id) ?? [])
    const skuIds = items.flatMap((item) => item.skuIds)
    return { items, ...(await pricesAt(store, skuIds, visibility)) }
  }
  const compute = (
    { items, prices, texts, editions = facts.editions }: ItemFacts,
    { method, sources, taxRules }: Rule = present,
  ) => {
    const context = { ...facts, sources, editions, aliases }
    const voiceFor = (sourceId: string) => voiceAmong(context, sourceId)
    const kept = openMemo<Settings>(10_000)
    const settingsFor = (sourceId: string) => kept(sourceId, () => settingsOf(sourceId, context))
    return items.map((members): Evaluated => {
      const skus = skusOf(members, prices, { ...context, method, settingsFor })
      const unit = itemUnitAt({ unit: members.unit, pack: members.pack, skus }, cut.asOf)
      const repriced = reprice({ ...unit, skus }, cut.asOf, method, taxRules)
      const waiting = waitingSkus(skus, repriced)
      const described = members.skuIds
        .flatMap((skuId) => texts.get(skuId) ?? [])
        .map((text) => ({ ...text, trust: voiceFor(text.sourceId)?.trust ?? 0 }))
        .filter(isHeard)
        .map((text) => (waiting.has(text.skuId) ? { ...text, trust: -1 } : text))
        .sort((a, b) => b.trust - a.trust || (a.skuId < b.skuId ? -1 : 1))
      const called = described.map((text) => vendorName(text, voiceFor(text.sourceId)))
      const kind =
        described
          .values()
          .map((text) => kindOf(matchSku(text, { units: aliases, voices: facts.voices })).kind)
          .find(isStated) ?? null
      const first = <T>(of: (payload: ObservationRecorded) => T | undefined) =>
        described.map(({ payload }) => of(payload)).find((value) => value !== undefined)
      return {
        itemId: members.itemId,
        members,
        prices: skus,
        repriced,
        name: first(({ name }) => name) ?? members.itemId,
        unit: soldUnit(unit).label,
        cpv: first(({ cpv }) => (cpv !== undefined && isCpvCode(cpv) ? cpv : undefined)) ?? null,
        category: categoryOf(
          described
            .map(({ payload: { category_path: path = null }, trust }, at) => ({
              ...(called[at] as VendorName),
              path,
              trust: Math.max(0, trust),
            }))
            .filter(isFirstOfVendor),
          kind,
        ),
        kind,
        names: itemNames(called),
      }
    })
  }
  const { editions } = facts
  return { cut, rule: present, editions, read, compute, evaluate: async (itemIds) => compute(await read(itemIds)) }
}

/** The SKUs whose first price waits in quarantine: until it votes, they describe the item only where nobody else does. */
function waitingSkus(skus: readonly SkuPrices[], { basis }: Repriced): ReadonlySet<string> {
  const waiting = new Set(
    basis.excluded.filter(({ reason }) => reason === 'FIRST_PRICE_QUARANTINED').map(({ id }) => id),
  )
  if (waiting.size === 0) return waiting
  const isWaiting = ({ observations }: SkuPrices) =>
    observations.some(({ observationId }) => waiting.has(observationId))
  return new Set(skus.filter(isWaiting).map(({ vendorSkuId }) => vendorSkuId))
}

/** What the vendor of a SKU calls the item, in the markets of the source that speaks for the vendor. */
function vendorName({ skuId, sourceId, payload, trust }: SkuText & { trust: number }, voice?: SourceAt): VendorName {
  const region = voice?.region ?? null
  const { lang } = nameLanguage({ name: payload.name, lang: payload.lang, region })
  return {
    skuId,
    name: payload.name,
    lang,
    trust,
    ...(voice ? vendorOf(voice) : { regions: [], voiceId: sourceId }),
  }
}

/** The markets of a vendor, and its legal name; thousands of SKUs have one vendor. */
const vendorOf = keptPer((voice: SourceAt) => ({
  regions: expandedRegions(voice.region).filter((code) => !isSubdivision(code)),
  voiceId: legalVendorOf(voice),
}))

const isFirstOfVendor = ({ voiceId }: VendorName, at: number, all: readonly VendorName[]) =>
  all.findIndex((other) => other.voiceId === voiceId) === at

const isStated = (kind: Kind | null) => kind !== null

/** The membership at a cut, or null when the stored membership is current there. */
async function pastMembership(store: Queryable, cut: Cut): Promise<Membership | null> {
  if (await membershipIsCurrentAt(store, cut)) return null
  const state = emptyMembership()
  // A conflict leaves the fold unchanged, as it did when the projector moved the event to the dead letters.
  for (const event of await membershipEventsAt(store, cut)) applyMembership(state, event)
  return state
}

function membersIn(membership: Membership, itemId: string): ItemMembers | undefined {
  const founding = membership.foundings.get(itemId)
  if (founding === undefined) return undefined
  return {
    itemId,
    unit: founding.unit,
    pack: founding.pack,
    mergedInto: membership.mergedInto.get(itemId) ?? null,
    skuIds: [...(membership.skusOf.get(itemId)?.values() ?? [])].sort(),
  }
}

type Settings = ReturnType<typeof settingsOf>

/** The SKUs of an item with their observations, and the settings of their sources. */
function skusOf(
  members: ItemMembers,
  prices: ItemFacts['prices'],
  {
    aliases,
    overrides,
    method,
    settingsFor,
  }: Pick<VotingFacts, 'overrides'> &
    Readonly<{ aliases: UnitAliases; method: Method; settingsFor: (sourceId: string) => Settings }>,
): SkuPrices[] {
  return members.skuIds.flatMap((vendorSkuId) => {
    const rows = prices.get(vendorSkuId)
    const settings = rows && settingsFor(rows.sourceId)
    if (!settings) return []
    const { vendorId, ...source } = settings
    const observations = rows.observations.map((read): Observed => {
      const row = withAliases(read, rows.sourceId, aliases)
      const override = overrides.get(row.observationId) ?? null
      const isAliased = row.unit !== read.unit || row.pack !== read.pack
      return isAliased ? { ...row, isAliased, override } : { ...row, override }
    })
    return [{ vendorSkuId, ...source, ...(method.voices === 'vendors' && vendorId && { vendorId }), observations }]
  })
}

/** The SKUs that readers see: of one vendor in one place the one that votes, which the basis says of the others as SAME_VENDOR. */
function shownSkus({ members, prices, repriced }: Evaluated): string[] {
  const others = new Set(repriced.basis.excluded.flatMap(({ id, reason }) => (reason === 'SAME_VENDOR' ? [id] : [])))
  const isOther = (skuId: string) =>
    prices.some(({ vendorSkuId, observations }) => {
      return vendorSkuId === skuId && observations.some(({ observationId }) => others.has(observationId))
    })
  return others.size === 0 ? [...members.skuIds] : members.skuIds.filter((skuId) => !isOther(skuId))
}

/** The fields that an item is published with. */
export type NextItem = Pick<ItemPublished, 'item_id' | 'state' | 'vendor_sku_ids' | 'category_path' | 'basis'>

/**
 * The public state that follows from an evaluation. `prior` is the current public state: an unchanged median keeps its
 * recorded_at, a changed one is recorded at asOf, and so is the item's updated_at.
 */
export function nextItem(evaluated: Evaluated, prior: PublicState | null, asOf: string): NextItem {
  const { repriced, members } = evaluated
  const merged = members.mergedInto
  const state = merged !== null ? 'merged' : repriced.vendorCount > 0 ? 'active' : 'gone'
  // Like the name, they stay with an item that has no SKU.
  const kind = state === 'active' ? evaluated.kind : (prior?.kind ?? evaluated.kind)
  const names = state === 'active' ? evaluated.names : (prior?.names ?? evaluated.names)
  const recorded = (
    now: { readonly cents: number; readonly currency: string } | null,
    before: PublicState['item']['median_price'] | undefined,
  ) => {
    if (now === null) return null
    const same = before?.cents === now.cents && before.currency === now.currency
    return { cents: now.cents, currency: now.currency, recorded_at: same ? before.recorded_at : asOf }
  }
  const { category } = evaluated
  const { basis } = repriced
  const editions = [...new Set(headlineVotes(basis).flatMap(({ edition }) => edition ?? []))].sort()
  const path = category && pathIn(category.category, 'en')
  const priorMarkets = new Map(prior?.markets.map(({ region, median_price }) => [region, median_price]))
  return {
    basis,
    category_path: path,
    item_id: evaluated.itemId,
    state: {
      ...(category && {
        category: { by: category.by, confidence_percent: category.confidence_percent, text: category.text },
      }),
      ...(editions.length > 0 && { editions }),
      item: {
        category_id: path && categoryIdOf(path),
        cpv: evaluated.cpv,
        id: evaluated.itemId,
        median_price: recorded(repriced.headline, prior?.item.median_price),
        // A merged or gone item has no SKU with a name, so it keeps its last name.
        name: state === 'active' ? evaluated.name : (prior?.item.name ?? evaluated.name),
        observation_count: repriced.observationCount,
        unit: evaluated.unit,
        updated_at: asOf,
        vendor_count: repriced.vendorCount,
      },
      ...(kind && { kind }),
      markets: repriced.markets.map(({ region, median, vendorCount }) => ({
        median_price: recorded(median, priorMarkets.get(region)),
        region,
        vendor_count: vendorCount,
      })),
      merged_into: merged,
      ...(names.length > 0 && { names: [...names] }),
      regions: [...repriced.regions],
      state,
    },
    vendor_sku_ids: shownSkus(evaluated),
  }
}
