import type { ItemName } from '@catalog/core/events/items.ts'
import { mainLanguage } from './name-language.ts'

/** For whom a name is chosen: a market, a language (ISO 639-1), both or neither. */
export type Reader = Readonly<{ region?: string | undefined; lang?: string | undefined }>

/**
 * The name of an item that a reader sees. With a language: its name in the market, else its name anywhere. Without one,
 * or without a name in it: the name that most trust in the market uses, else the name in the market's language. The
 * headline otherwise.
 */
export function shownName(
  names: readonly ItemName[],
  { headline, region, lang }: Reader & { headline: string },
): string {
  const inLanguage = (wanted: string | null) => names.filter((name) => wanted !== null && name.lang === wanted)
  const isHere = ({ regions, minor_regions = [] }: ItemName) =>
    region !== undefined && (regions.includes(region) || minor_regions.includes(region))
  const spoken = lang === undefined ? [] : inLanguage(lang)
  const chosen =
    spoken.find(isHere) ??
    spoken[0] ??
    names.find(({ regions }) => region !== undefined && regions.includes(region)) ??
    inLanguage(mainLanguage(region ?? null))[0]
  return chosen?.name ?? headline
}
