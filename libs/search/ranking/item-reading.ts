import { type KindReading, kindOf } from '@catalog/core/kinds/kind-of.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { type SoldUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { isNumber, tokensOf } from '@catalog/search/query/text.ts'
import { attributesOf } from './fit.ts'
import type { SoldThing } from './line-conversions.ts'
import { saidIn } from './line-traits.ts'
import { type NameWords, nameWords } from './line-words.ts'

/** What an item's names and unit say, whatever the line. */
export type ItemReading = SoldThing &
  Readonly<{
    words: readonly NameWords[]
    /** Its names: see {@link nameKey}. */
    keys: ReadonlySet<string>
    /** Its names without pack and unit: see {@link articleKey}. */
    articles: ReadonlySet<string>
    compared: ItemSizes
    /** What its names say of its kind, each once. */
    kinds: readonly KindReading[]
    /** What its names say together. */
    said: ReturnType<typeof saidIn>
  }>

/** Sizes of an item's names and unit, the whole numbers of its names as written, and what one unit holds. */
export type ItemSizes = Readonly<{ named: readonly Size[]; numbers: ReadonlySet<string>; contents: readonly Size[] }>

/** Some 3 kB each. Reading an item takes most of a comparison, and lines of one list share candidates. */
const itemReadings = openMemo<ItemReading>(20_000)

export function readItem({ names, unit }: { names: readonly string[]; unit: string | null }): ItemReading {
  return itemReadings([unit, ...names].join('\n'), () => {
    const sold = soldUnit({ unit })
    const sizes = names.flatMap((name) => sizesOf(name))
    // All names together state these.
    const told = names.flatMap((name) => [...attributesOf(name).values()].flat())
    const kinds = names.map((name) => kindOf({ name, unit }))
    return {
      names,
      sold,
      sizes,
      attributes: Map.groupBy(told, ({ role }) => role),
      words: names.map(nameWords),
      said: saidIn(names.join('\n')),
      keys: new Set(names.map(nameKey)),
      articles: new Set(names.map((name) => articleKey(name, sold))),
      compared: {
        named: [...sizes, ...sizesOf(unit ?? '')],
        numbers: new Set(names.flatMap((name) => name.match(/(?<![\d.,/x])\d+(?![\d.,/x])/g) ?? [])),
        contents: unit !== null && !/\d/.test(unit) ? sizesOf(`1 ${unit}`) : [],
      },
      // Most names of an item say the same of its kind.
      kinds: [...new Map(kinds.map((kind) => [JSON.stringify({ ...kind, evidence: [] }), kind])).values()],
    }
  })
}

/** Equal for names of the same words and numbers in any order. */
export const nameKey = (text: string): string => tokensOf(text).sort().join(' ')

/** Equal for names that differ in a pack, a unit and function words: "Cable THW 12 AWG" by the metre and "... rollo 100 m". */
function articleKey(name: string, { label }: SoldUnit): string {
  const pack = tokensOf(label ?? '')[0]
  const isUnit = (word: string, before = '') => parseUnit(word) !== null && (word.length > 1 || isNumber(before))
  const isOfArticle = (word: string, at: number, words: readonly string[]) =>
    word !== pack && !FUNCTION_WORD.test(word) && !isUnit(word, words[at - 1])
  return tokensOf(name).filter(isOfArticle).sort().join(' ')
}
const FUNCTION_WORD = /^(?:x|de|para|con|com|for|with|mit|pour|per|in)$/
