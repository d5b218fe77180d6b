import type { ItemName } from '@catalog/core/events/items.ts'
import { isRegion } from '@catalog/core/events/sources.ts'
import { mainLanguage } from './name-language.ts'

/** For whom a name is chosen: a market, languages (ISO 639-1, the preferred first), both or neither. */
export type Reader = Readonly<{ region?: string | undefined; langs?: readonly string[] }>

/**
 * The reader in a market, or without one in the market of the first language tag: "pt-BR" is Portuguese in Brazil,
 * "es-419" Spanish in Latin America. Tags of markets that the catalog lacks give their language alone.
 */
export function readerOf(region: string | undefined, tags: readonly string[]): Reader {
  const subtag = tags[0]?.split('-')[1]?.toUpperCase()
  const named = subtag === LATIN_AMERICA ? 'LATAM' : subtag
  const market = region ?? named
  return {
    region: market !== undefined && isRegion(market) ? market : undefined,
    langs: tags.map((tag) => tag.slice(0, 2).toLowerCase()),
  }
}
/** UN M.49, as language tags write it. */
const LATIN_AMERICA = '419'

/**
 * The name of an item that a reader sees. In the first language that has a name: the name of the market, else the name
 * of the language. Where no language has one: the name that most trust in the market uses, else the name in the
 * market's language. The headline otherwise.
 */
export function shownName(
  names: readonly ItemName[],
  { headline, region, langs = [] }: Reader & { headline: string },
): string {
  const inLanguage = (wanted: string | null) => names.filter((name) => wanted !== null && name.lang === wanted)
  const isHere = ({ regions, minor_regions = [] }: ItemName) =>
    region !== undefined && (regions.includes(region) || minor_regions.includes(region))
  const spoken = langs.map(inLanguage).find((found) => found.length > 0) ?? []
  const chosen =
    spoken.find(isHere) ??
    spoken[0] ??
    names.find(({ regions }) => region !== undefined && regions.includes(region)) ??
    inLanguage(mainLanguage(region ?? null))[0]
  return chosen?.name ?? headline
}
