import { readdirSync, readFileSync } from 'node:fs'
import { once } from '@catalog/core/memo.ts'
import { escapePattern, foldText } from '@catalog/core/text.ts'
import { load } from 'js-yaml'
import { z } from 'zod'
import { spelledStandards } from './notation.ts'

const Words = z.array(z.string().regex(/^[^A-Z]+$/, 'expected folded words')).min(1)

const TradeWords = z.array(
  z.strictObject({
    words: Words,
    means: z.string().min(1),
    countries: z.array(z.string().regex(/^[A-Z]{2}$/)).optional(),
    brand: z.literal(true).optional(),
    where: z.enum(['alone', 'first']).optional(),
    why: z.string().min(3),
    examples: z.record(z.string(), z.string()),
  }),
)
/** A short name, brand or regional word of a thing, and the plain words that its sellers use: see trade-words/several.yaml. */
export type TradeWord = Readonly<z.infer<typeof TradeWords>[number]>

const QuestionWords = z.strictObject({
  filler: z.record(z.string(), Words),
  markets: z.record(z.string(), Words),
  small: Words,
})

/** Words that may stand in the plural. */
const COUNTED = /(?<![\p{L}\p{N}])\p{L}{4,}(?![\p{L}\p{N}])/gu

/** All of them, the files of `trade-words/` in the order of their names. */
export const TRADE_WORDS: readonly TradeWord[] = readdirSync(new URL('trade-words/', import.meta.url))
  .sort()
  .flatMap((file) => TradeWords.parse(contentOf(`trade-words/${file}`)))
const { filler, markets, small } = QuestionWords.parse(contentOf('question-words.yaml'))

/** Words that say nothing at either end of a question. */
export const SMALL_WORDS: ReadonlySet<string> = new Set(small)
/** Phrases of questions in six languages. */
export const FILLER = phrasesOf(Object.values(filler).flat())
/** The region of each name of a market. */
export const MARKETS: ReadonlyMap<string, string> = new Map(
  Object.entries(markets).flatMap(([region, names]) => names.map((name) => [name, region] as const)),
)
/** The name of a market, with the small word before it: "in spain", "em são paulo". */
export const MARKET_NAMES = phrasesOf(
  [...MARKETS.keys()],
  '(?:(?:in|en|em|au|aux|a|na|no|nel|nos|las|the|de|del|do|da) ){0,2}',
)
const meanings = Map.groupBy(
  TRADE_WORDS.flatMap((entry) => entry.words.map((word) => ({ word: singular(spelledStandards(word)), entry }))),
  ({ word }) => word,
)
/**
 * The short names of a folded text that mean something in a market, from the left and the longest first, also in the plural
 * ("tablarocas"): a longer one of another country hides none.
 */
export function* shortNamesIn(text: string, market: string | null): Generator<Readonly<{ word: string; at: number }>> {
  let end = 0
  for (const { 0: beginning, index: at } of text.matchAll(BEGINNING)) {
    if (at < end) continue
    const named = shortNames()
      .get(beginning)
      ?.find(({ written, parts }) => {
        end = endOf(parts, text, at)
        return end > at && meaningOf(written, market) !== null
      })
    if (named === undefined) end = at
    else yield { word: text.slice(at, end), at }
  }
}
const BEGINNING = /(?<![\p{L}\p{N}]|\d[.,/])(?:\p{L}+|\p{N}+|\S)/gu
const ENDINGS = ['', 's', 'es']

/** By the letters or digits that they begin with, the longest first; an ending may stand between two parts. */
const shortNames = once(() => {
  const names = TRADE_WORDS.flatMap((entry) => entry.words.map(spelledStandards)).map((written) => {
    const folded = foldText(written)
    const parts = folded.replace(COUNTED, (word) => (word.endsWith('s') ? word : `${word}\n`)).split('\n')
    return { written, folded, parts }
  })
  const longestFirst = names.sort((a, b) => b.folded.length - a.folded.length)
  const begun = longestFirst.flatMap((name) =>
    ENDINGS.map((ending) => ({ beginning: `${name.folded.match(BEGINNING)?.[0]}${ending}`, name })),
  )
  const byBeginning = Map.groupBy(begun, ({ beginning }) => beginning)
  return new Map([...byBeginning].map(([beginning, those]) => [beginning, those.map(({ name }) => name)]))
})

/** Where a phrase ends that begins at a place of a text as a whole; -1 where none does. */
function endOf([first = '', ...parts]: readonly string[], text: string, at: number): number {
  if (!text.startsWith(first, at)) return -1
  let end = at + first.length
  for (const part of parts) {
    const ending = ENDINGS.findLast((each) => text.startsWith(each + part, end))
    if (ending === undefined) return -1
    end += ending.length + part.length
  }
  AFTER.lastIndex = end
  return AFTER.test(text) ? end : -1
}
const AFTER = /(?![\p{L}\p{N}]|[-.,/]\d|-\p{L}(?!\p{L}))/uy

/** One key for singular and plural of the languages that add s or es: "bloque" and "bloques", "panel" and "paneles". */
function singular(phrase: string): string {
  return phrase.replace(COUNTED, (word) => word.replace(/s$/, '').replace(/e$/, ''))
}

/**
 * What a short name means in a market. Without one, or in a market of several countries, words of countries that have no
 * market of their own count too.
 */
export function meaningOf(word: string, market: string | null): TradeWord | null {
  const entries = (meanings.get(singular(word)) ?? []).map(({ entry }) => entry)
  const countries = market === null ? OWN_MARKETLESS : (COUNTRIES_OF[market] ?? [market])
  const ofMarket = entries.find((entry) => countries.some((country) => entry.countries?.includes(country)))
  return ofMarket ?? entries.find((entry) => entry.countries === undefined) ?? null
}
const OWN_MARKETLESS = ['IT', 'DE', 'FR', 'PT']
/** Countries of the markets that hold several. */
const COUNTRIES_OF: Readonly<Record<string, readonly string[]>> = {
  EU: ['ES', ...OWN_MARKETLESS],
  LATAM: ['MX', 'BR', 'AR', 'CL', 'CO', 'PE', 'UY'],
}

function contentOf(file: string): unknown {
  return load(readFileSync(new URL(file, import.meta.url), 'utf8'))
}

/** Any of these phrases as whole words of a folded text, the longest first; the phrase is group 1. */
function phrasesOf(phrases: readonly string[], before = ''): RegExp {
  const longestFirst = [...new Set(phrases.map(foldText))].sort((a, b) => b.length - a.length)
  const written = longestFirst.map(escapePattern)
  return new RegExp(
    `(?<![\\p{L}\\p{N}]|\\d[.,/])${before}(${written.join('|')})(?![\\p{L}\\p{N}]|[-.,/]\\d|-\\p{L}(?!\\p{L}))`,
    'gu',
  )
}
