import { openPlaces, placeOwner } from '@catalog/api/callers/places.ts'
import { answers, LINES_PER_SEARCH, MatchRequest, MatchResponse } from '@catalog/api/contract/contract.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { itemJson } from '@catalog/api/items/item-json.ts'
import type { Finder } from '@catalog/api/search/finder.ts'
import { codeKeys } from '@catalog/search/query/codes.ts'
import type { Question } from '@catalog/search/query/question.ts'
import {
  type Line as BillLine,
  decideLine,
  type LineMatch,
  withoutCount,
} from '@catalog/search/ranking/bill-of-materials.ts'
import type { LineCorrection } from '@catalog/store/accounts/corrections.ts'
import type { NamedItem } from '@catalog/store/catalog/queries.ts'
import { correctedLine, correctionsByLine, correctionsFor } from './corrected-lines.ts'
import { evidenceOf, type ItemOfLine, type Matched, NO_PRICES, namedOf, pricesOf, rounded } from './line-answers.ts'
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
}

/** POST /match counts as one search for every ten lines. */
export function matchRoute(v1: V1, { find, lineTurns, ...context }: MatchContext): void {
  const places = openPlaces(LIST_PLACES)
  const items = itemsOfReplica(context)
  v1.post(
    '/match',
    {
      bodyLimit: BODY_BYTES_MAX,
      config: { bucket: 'search', strictBody: true },
      schema: {
        operationId: 'matchLines',
        body: MatchRequest,
        response: answers('An answer for each line, in order', { 'application/json': MatchResponse }, [413, 415, 503]),
      },
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
          { items, find, corrections, signal: left.signal, turn: lineTurns(owner) },
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

/**
 * The answer of `POST /match`, also for the command line. A line that a person corrected is not searched. Throws the errors
 * of the finder and the store.
 */
export async function matchLines(
  {
    items: stock,
    find,
    corrections = [],
    signal,
    turn = (work) => work(),
  }: Readonly<{
    items: LineItems
    find: Finder
    corrections?: readonly LineCorrection[]
    /** Ends the work between lines: nobody waits for the answer. */
    signal?: AbortSignal
    /** Absent: nobody else is searching. */
    turn?: LineTurn
  }>,
  { lines, region, price_region, lang, alternatives = ALTERNATIVES }: MatchRequest,
): Promise<MatchResponse> {
  let mode: MatchResponse['mode'] = 'vector'
  const known = new Map<string, Promise<Matched>>()
  const chosen = correctionsByLine(corrections)

  const codesNear = codesOf(lines, stock)

  async function answer({ text, unit, quantity, region: ofLine }: Line, at: number): Promise<Matched> {
    const place = ofLine ?? region ?? undefined
    // The market of the line tells its money too.
    const shown = { priceRegion: price_region ?? place, lang: lang ?? undefined }
    const counted = withoutCount({ text, unit: unit || null })
    const correction = chosen({ text, unit: unit ?? '', region: place ?? '' })
    const corrected =
      correction && (await correctedLine(stock, { text, counted, quantity: quantity ?? null, correction, shown }))
    if (corrected) return corrected
    const asked = {
      q: counted.text,
      limit: CANDIDATES,
      region: place,
      categoryId: undefined,
      codes: await codesNear(at),
    }
    const found = await find({ ...asked, isRefusing: false })
    if (found.mode === 'fallback_no_ai') mode = 'fallback_no_ai'
    const rows = await stock.byId({
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
    const decided = decideLine(plain, { candidates, margin: found.margin })
    const itemOf = ({ itemId, score }: LineMatch) => ({
      ...(JSON.parse(itemJson(rowOf.get(itemId) as NamedItem, shown)) as ItemOfLine),
      score: rounded(score),
    })
    const { best } = decided
    const item = best && itemOf(best)
    return {
      text,
      status: decided.status,
      reason: decided.reason,
      decided_by: 'search',
      item,
      evidence: best && evidenceOf(best),
      ...(best && item && decided.status === 'matched'
        ? pricesOf(item, {
            basis: await stock.basisOf(best.itemId),
            region: shown.priceRegion,
            itemUnits: best.itemUnits,
            quantity: quantity ?? null,
          })
        : NO_PRICES),
      alternatives: decided.alternatives
        .slice(0, alternatives)
        .map((other) => ({ item: itemOf(other), evidence: evidenceOf(other) })),
    }
  }

  /** Bills of materials repeat lines: match each only once. */
  function once(line: Line, at: number): Promise<Matched> {
    const key = JSON.stringify([line.text, line.unit, line.quantity, line.region])
    const promise = known.get(key) ?? answer(line, at)
    known.set(key, promise)
    return promise
  }

  const inTurn = (line: Line, at: number) =>
    turn(async () => {
      signal?.throwIfAborted()
      return await once(line, at)
    })
  const matched = await answersOf(lines, inTurn)
  return { lines: matched, ...countsOf(matched), mode }
}

/** The line with what search read of it. */
function inPlainWords(line: BillLine, { shortNames, thing, unit }: Question, place: string | undefined): BillLine {
  const headFirst = place === undefined || HEAD_LAST_MARKETS.has(place) ? undefined : thing
  return {
    ...line,
    unit: line.unit ?? unit,
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
