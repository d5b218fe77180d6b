import type { ItemName } from '@catalog/core/events/items.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { compareText, foldText } from '@catalog/core/text.ts'

/** What a vendor calls an item. `regions` are the markets in which the vendor sells. */
export type VendorName = Readonly<{
  skuId: string
  name: string
  /** Null where nothing tells it. */
  lang: string | null
  regions: readonly string[]
  /** 0 to 100; below 0: its first price waits in quarantine. */
  trust: number
  /** Its legal vendor: one vendor's trust counts once, however many SKUs it has. */
  voiceId: string
}>

/** Most names that an item carries; the names of markets come first, then those of languages. */
export const NAMES_MAX = 24

/**
 * The names by which vendors call an item: for each language the name that most trust uses, and for each market and
 * language the same among the vendors there. Names that differ in case, accents and blanks alone are one name, in its
 * most trusted spelling. Equal trust goes to the single most trusted vendor, then to the smallest SKU id. Names whose
 * first price waits count only where there is no other.
 *
 * Pure, and independent of the order of the names. The result is sorted by language (null last); the name of the
 * language leads its others, which follow by code units. At most {@link NAMES_MAX}.
 */
export function itemNames(given: readonly VendorName[]): ItemName[] {
  const trusted = given.filter(({ trust }) => trust >= 0)
  const names = trusted.length > 0 ? trusted : given
  const [one] = names
  if (one?.lang && names.every(({ name, lang }) => name === one.name && lang === one.lang)) {
    const regions = new Set(names.flatMap(({ regions }) => regions))
    return [{ lang: one.lang, name: one.name, regions: [...regions].sort(compareText) }]
  }
  const kept = new Map<string, Kept>()
  const keep = (found: readonly VendorName[]): Kept => {
    const { name, lang } = spelled(found)
    const entry = kept.get(`${lang}\0${name}`) ?? { name, lang, isFirst: false, trust: 0, regions: [], minor: [] }
    kept.set(`${lang}\0${name}`, entry)
    return entry
  }
  for (const ofLanguage of Map.groupBy(names, ({ lang }) => lang).values()) {
    const first = keep(ofLanguage)
    first.isFirst = first.lang !== null
    first.trust = trustOf(ofLanguage)
  }
  const markets = new Set(names.flatMap(({ regions }) => regions))
  for (const region of [...markets].sort(compareText)) {
    const here = names.filter(({ regions }) => regions.includes(region))
    const most = strongest(here, ({ lang, name }) => `${lang}\0${folded(name)}`)
    keep(most).regions.push(region)
    for (const [lang, ofLanguage] of Map.groupBy(here, ({ lang }) => lang)) {
      if (lang !== null && lang !== most[0].lang) keep(ofLanguage).minor.push(region)
    }
  }
  return [...kept.values()]
    .filter(({ isFirst, regions, minor }) => isFirst || regions.length + minor.length > 0)
    .sort(byNeed)
    .slice(0, NAMES_MAX)
    .sort(byLanguage)
    .map(({ lang, name, regions, minor }) => ({
      lang,
      ...(minor.length > 0 && { minor_regions: minor }),
      name,
      regions,
    }))
}

type Kept = {
  readonly name: string
  readonly lang: string | null
  /** The name of its language. */
  isFirst: boolean
  /** All trust in its language, if it is the name of it. */
  trust: number
  readonly regions: string[]
  readonly minor: string[]
}

const byNeed = (a: Kept, b: Kept) =>
  b.regions.length - a.regions.length ||
  Number(b.isFirst) - Number(a.isFirst) ||
  b.trust - a.trust ||
  compareText(`${a.lang}\0${a.name}`, `${b.lang}\0${b.name}`)

const byLanguage = (a: Kept, b: Kept) =>
  Number(a.lang === null) - Number(b.lang === null) ||
  compareText(a.lang ?? '', b.lang ?? '') ||
  Number(b.isFirst) - Number(a.isFirst) ||
  compareText(a.name, b.name)

/** The most trusted name of one language, in its most trusted spelling. */
function spelled(names: readonly VendorName[]): VendorName {
  const one = strongest(names, ({ name }) => folded(name))
  return strongest(one, ({ name }) => name)[0]
}

/** A name is compared once for each language and market. */
const FOLDED = openMemo<string>(20_000)
const folded = (name: string) => FOLDED(name, () => foldText(name))

type Some = readonly [VendorName, ...VendorName[]]

/** The names of the key that most trust uses; at least one name is given. */
function strongest(names: readonly VendorName[], keyOf: (name: VendorName) => string): Some {
  const [best] = Map.groupBy(names, keyOf)
    .values()
    .map((group) => ({ group, trust: trustOf(group), leader: leaderOf(group) }))
    .toArray()
    .sort((a, b) => b.trust - a.trust || b.leader.trust - a.leader.trust || compareText(a.leader.skuId, b.leader.skuId))
  return best?.group as unknown as Some
}

/** The sum of the vendors' trust, each counted once. */
function trustOf(names: readonly VendorName[]): number {
  const byVoice = new Map<string, number>()
  for (const { voiceId, trust } of names) byVoice.set(voiceId, Math.max(byVoice.get(voiceId) ?? 0, trust))
  return byVoice.values().reduce((sum, trust) => sum + trust, 0)
}

const leaderOf = (names: readonly VendorName[]): VendorName =>
  names.reduce((a, b) => (b.trust > a.trust || (b.trust === a.trust && b.skuId < a.skuId) ? b : a))
