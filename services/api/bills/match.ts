import { openPlaces, placeOwner } from '@catalog/api/callers/places.ts'
import { LINES_PER_SEARCH, MatchRequest, MatchResponse, operation } from '@catalog/api/contract/contract.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { Shown } from '@catalog/api/items/item-json.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { instant } from '@catalog/core/time.ts'
import { codeKeys } from '@catalog/search/query/codes.ts'
import type { Question } from '@catalog/search/query/question.ts'
import { type Line as BillLine, decideLine, withoutCount } from '@catalog/search/ranking/bill-of-materials.ts'
import type { SearchAnswer } from '@catalog/search/ranking/fuse.ts'
import type { LineCorrection } from '@catalog/store/accounts/corrections.ts'
import type { NamedItem } from '@catalog/store/catalog/queries.ts'
import { openCodes, sourcesOf } from './coded-lines.ts'
import { correctedLine, correctionsByLine, correctionsFor } from './corrected-lines.ts'
import { answerOf, type Matched, namedOf, type PriceChoice } from './line-answers.ts'
import { itemsOfReplica, type LineItems } from './line-items.ts'
import { LINES_AT_ONCE, type LineTurn, type openLineTurns } from './line-turns.ts'

/** 500 lines of 512 characters, at most four bytes each, with their units. */
const BODY_BYTES_MAX = 1_500_000
/** Lists that are answered at one time. Those of one owner share its turns, so that more of them are no quicker. */
const LIST_PLACES = { of: 'lists', max: 64, perOwner: 8 }
/** Lines whose codes are looked up together. */
const LINES_OF_STATEMENT = 20
/** Items compared with a line. */
const CANDIDATES = 20
/** Where a name ends with the thing: "dense block". Elsewhere it begins with it. */
const HEAD_LAST_MARKETS: ReadonlySet<string> = new Set(['US', 'GB'])
/** Default number of alternatives of a line. */
const ALTERNATIVES = 3

type MatchContext = Pick<ApiContext, 'store' | 'read' | 'catalogVersion'> & {
  readonly find: Finder
  readonly lineTurns: ReturnType<typeof openLineTurns>
  readonly now: () => Date
}

/** POST /match counts as one search for every ten lines. */
export function matchRoute(v1: V1, { find, lineTurns, now, ...context }: MatchContext): void {
  const places = openPlaces(LIST_PLACES)
  const items = itemsOfReplica(context)
  v1.post(
    '/match',
    {
      bodyLimit: BODY_BYTES_MAX,
      config: { bucket: 'search', strictBody: true },
      ...operation('matchLines', { body: MatchRequest, answer: MatchResponse }),
    },
    async (request, reply) => {
      const { lines } = request.body
      const owner = placeOwner(request)
      const leave = places.enter(owner)
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      try {
        await request.countSearches(reply, Math.ceil(lines.length / LINES_PER_SEARCH) - 1)
        const workspaceId = request.credential?.found.workspace_id ?? undefined
        const corrections = await correctionsFor(context.store, { workspaceId, lines })
        const answer = await matchLines(
          { items, find, corrections, signal: left.signal, turn: lineTurns(owner), now },
          request.body,
        )
        return reply.header('cache-control', 'no-store').send(answer)
      } catch (error) {
        // Nobody is there for an answer, and a caller who leaves is no failure.
        if (left.signal.aborted) return reply.hijack()
        throw error
      } finally {
        leave()
      }
    },
  )
}

type Line = MatchRequest['lines'][number]

export type Matching = Readonly<{
  items: LineItems
  find: Finder
  corrections?: readonly LineCorrection[]
  /** Ends the work between lines: nobody waits for the answer. */
  signal?: AbortSignal
  /** Absent: nobody else is searching. */
  turn?: LineTurn
  now: () => Date
  /** Hears of each line that is answered. */
  onAnswer?: () => void
}>

/**
 * The answer of `POST /match`. A line that a person corrected, or whose code names an item, is not searched. Throws the errors
 * of the finder and the store, and invalid_parameter for an unknown source.
 */
export async function matchLines(
  { items: stock, find, corrections = [], signal, turn = (work) => work(), now, onAnswer }: Matching,
  { lines, region, price_region, lang, source, alternatives = ALTERNATIVES, ...choosing }: MatchRequest,
): Promise<MatchResponse> {
  if (source != null) await sourcesOf(stock, { source })
  const choice = await chosenPrices(stock, { ...choosing, now: instant(now()) })
  let mode: MatchResponse['mode'] = 'vector'
  const searches = new Map<string, Promise<Matched>>()
  const chosen = correctionsByLine(corrections)

  const codesNear = codesOf(lines, stock)
  const coded = openCodes(lines, { items: stock, source: source ?? undefined, region: region ?? undefined })

  async function answer({ text, unit, quantity = null, region: ofLine }: Line, at: number): Promise<Matched> {
    const place = ofLine ?? region ?? undefined
    // The market of the line tells its money too.
    const shown = { priceRegion: price_region ?? place, lang: lang ?? undefined }
    const counted = { ...withoutCount({ text, unit: unit || null }), market: place }
    const { priceRegion } = shown
    const correction = chosen({ text, unit: unit ?? '', region: place ?? '' })
    const corrected = correction && (await correctedLine(stock, { counted, priceRegion, itemId: correction.itemId }))
    const known = corrected ?? (await coded(at, counted, priceRegion))
    if (known !== undefined) {
      const { match: best, row } = known
      const decided = { status: best ? 'matched' : 'unmatched', reason: null, best, alternatives: [] } as const
      const decided_by = corrected ? 'correction' : 'search'
      const { vendor_sku_id } = row ?? {}
      const rowOf = () => row as NamedItem
      return answerOf({ text, quantity, decided, decided_by, vendor_sku_id }, { rowOf, items: stock, shown, ...choice })
    }
    // Bills of materials repeat lines: search each only once.
    const key = JSON.stringify([text, unit, quantity, place])
    const promise = searches.get(key) ?? search({ text, counted, quantity, place, shown, choice, alternatives }, at)
    searches.set(key, promise)
    return promise
  }

  async function search(asked: Omit<Asked, 'codes'>, at: number): Promise<Matched> {
    const found = await searched({ items: stock, find }, { ...asked, codes: await codesNear(at) })
    if (found.mode === 'fallback_no_ai') mode = found.mode
    return found.answer
  }

  const inTurn = (line: Line, at: number) =>
    turn(async () => {
      signal?.throwIfAborted()
      const matched = await answer(line, at)
      onAnswer?.()
      return matched
    })
  const matched = await answersOf(lines, inTurn)
  const prices = { region: price_region ?? region ?? null, as_of: choice.at, source_id: choice.sourceId ?? null }
  return { lines: matched, ...countsOf(matched), prices, mode }
}

/** Throws invalid_parameter for an instant to come, and for a name that no source has, or several. */
async function chosenPrices(
  items: LineItems,
  { as_of, price_source, now }: Pick<MatchRequest, 'as_of' | 'price_source'> & { now: string },
): Promise<PriceChoice> {
  if (as_of != null && (as_of > now || price_source != null))
    throw new ApiError('invalid_parameter', 'as_of: expected an instant of the past, without price_source')
  const found = price_source == null ? [] : await sourcesOf(items, { price_source })
  if (found.length > 1)
    throw new ApiError(
      'invalid_parameter',
      `price_source '${price_source}': expected the name of one source, such as ${found
        .slice(0, NAMES_SHOWN)
        .map(({ name }) => name)
        .join(', ')}`,
    )
  return { at: as_of ?? now, isPast: as_of != null, sourceId: found[0]?.id }
}
const NAMES_SHOWN = 3

type Asked = Readonly<{
  text: string
  counted: BillLine
  quantity: number | null
  place: string | undefined
  shown: Shown
  choice: PriceChoice
  codes: ReadonlySet<string>
  /** The most of them. */
  alternatives: number
}>

/** The answer of search for a line, and whether it had vectors. */
async function searched(
  { items, find }: Pick<Matching, 'items' | 'find'>,
  { text, counted, quantity, place, shown, choice, codes, alternatives }: Asked,
): Promise<{ answer: Matched; mode: SearchAnswer['mode'] }> {
  const asked = { q: counted.text, limit: CANDIDATES, region: place, categoryId: undefined, codes }
  const found = await find({ ...asked, isRefusing: false })
  const rows = await items.byId({
    itemIds: found.results.map(({ itemId }) => itemId),
    priceRegion: shown.priceRegion,
  })
  const rowOf = new Map(rows.map((row) => [row.item_id, row]))
  // A line may use any of its names, whichever is shown.
  const candidates = found.results.flatMap(({ itemId, score, cos, isThing = true }) => {
    const row = rowOf.get(itemId)
    return row === undefined ? [] : [{ itemId, ...namedOf(row), score, cos, isThing }]
  })
  const plain = inPlainWords(counted, found.question, place)
  const { alternatives: others, ...decided } = decideLine(plain, { candidates, margin: found.margin })
  const line = {
    text,
    quantity,
    decided_by: 'search',
    decided: { ...decided, alternatives: others.slice(0, alternatives) },
  } as const
  const answer = await answerOf(line, {
    rowOf: (itemId) => rowOf.get(itemId) as NamedItem,
    items,
    shown,
    ...choice,
  })
  return { answer, mode: found.mode }
}

/** The line with what search read of it. */
function inPlainWords(line: BillLine, { shortNames, thing, unit }: Question, place: string | undefined): BillLine {
  const headFirst = place === undefined || HEAD_LAST_MARKETS.has(place) ? undefined : thing
  return {
    ...line,
    unit: line.unit ?? unit,
    inFull: thing,
    ...(shortNames.length > 0 && { thing }),
    ...(headFirst && { headFirst }),
  }
}

/** The codes of items in a line and its neighbours: few lines have one, so a statement asks for several. */
function codesOf(lines: readonly Line[], { knownKeys }: LineItems): (at: number) => Promise<ReadonlySet<string>> {
  const known: Promise<ReadonlySet<string>>[] = []
  const keysOf = ({ text, unit }: Line) => codeKeys(withoutCount({ text, unit: unit || null }).text)
  return (at) => {
    const chunk = Math.floor(at / LINES_OF_STATEMENT)
    const near = () => lines.slice(chunk * LINES_OF_STATEMENT, (chunk + 1) * LINES_OF_STATEMENT)
    known[chunk] ??= knownKeys([...new Set(near().flatMap(keysOf))])
    return known[chunk]
  }
}

/** The answers in the order of the lines, {@link LINES_AT_ONCE} at a time; one that fails is the last to begin. */
async function answersOf(
  lines: readonly Line[],
  answer: (line: Line, at: number) => Promise<Matched>,
): Promise<Matched[]> {
  const answers: Matched[] = []
  // Unlike the walk of an array, this one ends for all where one leaves it.
  const walk = (function* () {
    yield* lines.entries()
  })()
  async function answerNext(): Promise<void> {
    for (const [at, line] of walk) answers[at] = await answer(line, at)
  }
  await Promise.all(Array.from({ length: LINES_AT_ONCE }, answerNext))
  return answers
}

function countsOf(lines: readonly Matched[]): Pick<MatchResponse, Matched['status']> {
  const count = (status: Matched['status']) => lines.filter((line) => line.status === status).length
  return { matched: count('matched'), ambiguous: count('ambiguous'), unmatched: count('unmatched') }
}
