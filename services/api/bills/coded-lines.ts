import type { MatchRequest } from '@catalog/api/contract/contract.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { expandedRegions } from '@catalog/core/median/regions.ts'
import { keptPer, once, openMemo } from '@catalog/core/memo.ts'
import { foldText } from '@catalog/core/text.ts'
import { judgeCoded, type Line } from '@catalog/search/ranking/bill-of-materials.ts'
import type { LinkedItem } from '@catalog/store/vendor/recipes.ts'
import type { SourceName } from '@catalog/store/vendor/sources.ts'
import type { LineChoice } from './corrected-lines.ts'
import { namedOf } from './line-answers.ts'
import type { LineItems } from './line-items.ts'

/** Lines whose codes are looked up together. */
const LINES_OF_STATEMENT = 20
/** Lists in which a code is looked up: more than a market has. */
const SOURCES_MAX = 100
/** Names of lists in one request that are read once. */
const LISTS_MAX = 50

type Lines = MatchRequest['lines']
type CodeLists = Readonly<{ ids: readonly string[]; isListKnown: boolean }>

/**
 * Finds the item that the code of a line names: codes are local to a list, so it must be the only item with this code in the
 * lists asked, and neither its words, sizes nor unit may contradict the line. The lists are those that line or request name,
 * else all that sell in the market of the line. `at` is the place of the line, from 0.
 */
export function openCodes(
  lines: Lines,
  { items, source, region }: { items: LineItems; source: string | undefined; region: string | undefined },
): (at: number, counted: Line, priceRegion: string | undefined) => Promise<LineChoice | undefined> {
  const sources = once(items.sources)
  const lists = openMemo<Promise<CodeLists>>(LISTS_MAX)
  const chunks = new Map<string, Promise<ReadonlyMap<string, LinkedItem>>>()

  async function listsOf(asked: string | undefined, place: string | undefined): Promise<CodeLists> {
    const all = await sources()
    const named = asked === undefined ? [] : sourcesNamed(all, asked)
    const found = named.length > 0 ? named : all.filter((list) => isSoldIn(list, place))
    return { ids: found.length > SOURCES_MAX ? [] : found.map(({ id }) => id), isListKnown: named.length > 0 }
  }

  async function skusOf({
    code,
    ...line
  }: Lines[number]): Promise<{ skuIds: readonly string[]; isListKnown: boolean }> {
    const [asked, place] = [line.source ?? source, line.region ?? region]
    const { ids, isListKnown } = await lists(JSON.stringify([asked, place]), () => listsOf(asked, place))
    return { skuIds: ids.flatMap((id) => writingsOf(code ?? '').map((ref) => vendorSkuIdOf(id, ref))), isListKnown }
  }

  return async (at, counted, priceRegion) => {
    const line = lines[at]
    if (!line?.code?.trim()) return undefined
    const chunk = Math.floor(at / LINES_OF_STATEMENT)
    const key = JSON.stringify([chunk, priceRegion])
    const near = lines.slice(chunk * LINES_OF_STATEMENT, (chunk + 1) * LINES_OF_STATEMENT).filter(({ code }) => code)
    const read = async () => {
      const skus = await Promise.all(near.map(skusOf))
      return items.bySku({ skuIds: skus.flatMap(({ skuIds }) => skuIds), priceRegion })
    }
    const rows = chunks.get(key) ?? read()
    chunks.set(key, rows)
    const found = await rows
    const { skuIds, isListKnown } = await skusOf(line)
    const fitting = new Map<string, LineChoice>()
    for (const row of skuIds.flatMap((id) => found.get(id) ?? [])) {
      const match = judgeCoded(counted, { itemId: row.item_id, ...namedOf(row), score: 1, cos: 0 }, isListKnown)
      if (match !== null) fitting.set(row.item_id, { row, match })
    }
    const [only] = fitting.values()
    return fitting.size === 1 ? only : undefined
  }
}

/** The sources of this name; throws invalid_parameter where there is none. */
export async function sourcesOf(
  items: LineItems,
  asked: { source: string } | { price_source: string },
): Promise<readonly SourceName[]> {
  const [[parameter, name]] = Object.entries(asked) as [[string, string]]
  const found = sourcesNamed(await items.sources(), name)
  if (found.length > 0) return found
  throw new ApiError('invalid_parameter', `${parameter} '${name}': expected the id or name of a source`)
}

/** By id or name, else those whose name has all of these words: "SINAPI" of "SINAPI inputs SP". */
function sourcesNamed(sources: readonly SourceName[], asked: string): readonly SourceName[] {
  const equal = sources.filter((source) => source.id === asked || readingOf(source).name === foldText(asked))
  if (equal.length > 0) return equal
  const words = wordsOf(asked)
  return words.length === 0 ? [] : sources.filter((source) => words.every((word) => readingOf(source).words.has(word)))
}
const wordsOf = (name: string): readonly string[] => foldText(name).match(/[\p{L}\p{N}]+/gu) ?? []
const readingOf = keptPer(({ name }: SourceName) => ({ name: foldText(name), words: new Set(wordsOf(name)) }))

/** Whether the list and the market have a market in common, as a country and its subdivisions have. */
function isSoldIn({ region }: SourceName, place: string | undefined): boolean {
  if (place === undefined || region === null) return true
  const markets = expandedRegions(place)
  return expandedRegions(region).some((market) => markets.includes(market))
}

/** "SINAPI 00087879" is also written "00087879" and "87879". */
function writingsOf(code: string): readonly string[] {
  const whole = code.trim()
  const last = whole.split(/\s+/).at(-1) ?? ''
  return [...new Set([whole, last, last.replace(/^0+(?=\d)/, '')])]
}
