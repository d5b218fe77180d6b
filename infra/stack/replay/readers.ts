import { setTimeout as delay } from 'node:timers/promises'
import { sha256Hex } from '@catalog/core/digest.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { LEGACY, toolCall } from '@catalog/stack/testing/agent.ts'

/** Readers that ask a server for everything all the time, while work goes on that they must not notice. */

/**
 * A request: an address below the server, or a call of an agent's tool. `{past}` and `{future}` stand for fresh
 * instants, so that no cache has the answer, which is the same for all of them.
 */
export type Place = Readonly<{ path: string; accept?: string; tool?: string; asked?: object; key?: string }>

/** The answer to one request. */
export type Answer = Readonly<{ status: number; etag: string | null; body: string }>

const PAST_MS = Date.UTC(2020, 0, 1)
const FUTURE_MS = Date.UTC(2030, 0, 1)
let asks = 0
const addressOf = (path: string) =>
  path
    .replace('{past}', () => new Date(PAST_MS + ++asks).toISOString())
    .replace('{future}', () => new Date(FUTURE_MS + ++asks).toISOString())

async function ask(base: string, { path, accept, tool, asked, key }: Place, etag?: string): Promise<Answer> {
  const response = await fetch(
    base + addressOf(path),
    tool === undefined
      ? { headers: { ...(accept !== undefined && { accept }), ...(etag !== undefined && { 'if-none-match': etag }) } }
      : toolCall({ tool, args: asked ?? {}, era: LEGACY }, key as string),
  )
  return { status: response.status, etag: response.headers.get('etag'), body: await response.text() }
}

/** A shed request carries no data of the catalog; ask again. */
const isShed = ({ status, body }: Answer) => status === 503 && body.includes('"overloaded"')
const SHED_WAIT_MS = 200

/** Asks until the server answers. */
export async function askAgain(base: string, place: Place): Promise<Answer> {
  for (const deadlineMs = performance.now() + ANSWER_MS_MAX; ; await delay(SHED_WAIT_MS)) {
    const answer = await ask(base, place)
    if (!isShed(answer)) return answer
    if (performance.now() > deadlineMs) throw new Error(`${place.path}: too busy for ${ANSWER_MS_MAX} ms`)
  }
}
const ANSWER_MS_MAX = 60_000

export type Read = Readonly<{ place: Place; answer: Answer; beganMs: number; tookMs: number }>
export type Tally = {
  reads: number
  /** Answers other than 200, 304 and shed, as lines. */
  failed: string[]
  /** Complaints of `judge`. */
  mixed: string[]
  shed: number
  /** Start and duration of each slow answer. */
  slow: { beganMs: number; tookMs: number }[]
}

const READERS = 8
/** Pause between two requests of a reader, which leaves two cores time for the work under test. */
const PAUSE_MS = 2
const SLOW_MS = 20

/** Reads until the work ends. `judge` returns what is wrong with an answer, or null. */
export async function readWhile<T>(
  { base, places, judge }: { base: string; places: readonly Place[]; judge: (read: Read) => string | null },
  work: () => Promise<T>,
): Promise<{ result: T; tally: Tally }> {
  const tally: Tally = { reads: 0, failed: [], mixed: [], shed: 0, slow: [] }
  let isDone = false
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    const etags = new Map<string, string>()
    for (let n = Math.floor((reader * places.length) / READERS); !isDone; n++, await delay(PAUSE_MS)) {
      const place = places[n % places.length] as Place
      const beganMs = performance.now()
      try {
        // Every other request is conditional.
        const answer = await ask(base, place, n % 2 === 0 ? etags.get(place.path) : undefined)
        if (isShed(answer)) {
          tally.shed++
          await delay(SHED_WAIT_MS)
          continue
        }
        const tookMs = performance.now() - beganMs
        tally.reads++
        if (tookMs > SLOW_MS) tally.slow.push({ beganMs, tookMs })
        if (answer.status !== 200 && answer.status !== 304) {
          note(tally.failed, `${answer.status} ${place.path} ${answer.body.slice(0, 200)}`)
          continue
        }
        if (answer.etag !== null) etags.set(place.path, answer.etag)
        const wrong = judge({ place, answer, beganMs, tookMs })
        if (wrong !== null) note(tally.mixed, `${place.path}: ${wrong}`)
      } catch (error) {
        note(tally.failed, `${place.path}: ${error}`)
      }
    }
  })
  try {
    return { result: await work(), tally }
  } finally {
    isDone = true
    await Promise.all(readers)
  }
}

/** Further failures add nothing. */
const NOTED_MAX = 10
function note(lines: string[], line: string): void {
  if (lines.length < NOTED_MAX) lines.push(line)
}

/** The longest answer among those under way at some moment between the two. */
export function longestStallMs({ slow }: Tally, { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  return Math.max(
    0,
    ...slow.flatMap(({ beganMs, tookMs }) => (beganMs < toMs && beganMs + tookMs > fromMs ? [tookMs] : [])),
  )
}

/** Returns a judge that accepts only the body of this moment, byte for byte. */
export async function asBefore(
  base: string,
  places: readonly Place[],
): Promise<(read: Pick<Read, 'place' | 'answer'>) => string | null> {
  const before = new Map<Place, Answer>()
  for (const place of places) {
    const answer = await askAgain(base, place)
    if (answer.status !== 200)
      throw new Error(`${place.path}: expected 200, ${answer.status} ${answer.body.slice(0, 300)}`)
    before.set(place, answer)
  }
  const hour = () => Math.floor(Date.now() / HOUR_MS)
  const hourBefore = hour()
  return ({ place, answer }) => {
    const expected = before.get(place) as Answer
    // Each hour it says anew where the feeds stand.
    if (place.path.endsWith('/feeds/state.json') && hour() !== hourBefore) return null
    if (answer.etag !== expected.etag) return `ETag ${answer.etag}, before ${expected.etag}`
    if (answer.status === 304 || answer.body === expected.body) return null
    return `body ${sha256Hex(answer.body)}, before ${sha256Hex(expected.body)}: ${difference(expected.body, answer.body)}`
  }
}

function difference(before: string, after: string): string {
  const at = [...before].findIndex((letter, i) => letter !== after[i])
  return `at ${at}: '${before.slice(Math.max(0, at - 40), at + 40)}' became '${after.slice(Math.max(0, at - 40), at + 40)}'`
}
