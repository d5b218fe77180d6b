import { setTimeout as delay } from 'node:timers/promises'
import { sha256Hex } from '@catalog/core/digest.ts'

/** Readers of a server that ask for everything, all the time, while something goes on that they must not notice. */

/**
 * What is asked for: an address below the server, or a call of an agent's tool. `{past}` and `{future}` stand for instants
 * that nobody asked for before, so that no cache has the answer, which is the same for all of them.
 */
export type Place = Readonly<{ path: string; accept?: string; tool?: string; asked?: object; key?: string }>

/** What one place answered. */
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
      : {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-11-25',
            authorization: `Bearer ${key}`,
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: tool, arguments: asked },
          }),
        },
  )
  return { status: response.status, etag: response.headers.get('etag'), body: await response.text() }
}

/** A server that says that it is too busy said nothing of the catalog; it is asked again. */
const isShed = ({ status, body }: Answer) => status === 503 && body.includes('"overloaded"')
const SHED_WAIT_MS = 200

/** Asks until it is answered. */
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
  /** Neither 200 nor 304, nor shed: as lines. */
  failed: string[]
  /** What `judge` complained of. */
  mixed: string[]
  shed: number
  /** Beginning and duration of each answer that was waited for longer than a moment. */
  slow: { beganMs: number; tookMs: number }[]
}

const READERS = 8
/** Between two questions of one reader, so that two cores have time for what is looked at. */
const PAUSE_MS = 2
const SLOW_MS = 20

/** Reads until the work has ended. `judge` says what is wrong with an answer, or null. */
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
        // Every other time it is asked whether it is still what the reader has.
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

/** More of them say nothing more. */
const NOTED_MAX = 10
function note(lines: string[], line: string): void {
  if (lines.length < NOTED_MAX) lines.push(line)
}

/** The longest answer of those that were under way at some moment between the two. */
export function longestStallMs({ slow }: Tally, { fromMs, toMs }: { fromMs: number; toMs: number }): number {
  return Math.max(
    0,
    ...slow.flatMap(({ beganMs, tookMs }) => (beganMs < toMs && beganMs + tookMs > fromMs ? [tookMs] : [])),
  )
}

/** Complains of any body that is not, byte by byte, the one that is answered now. */
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
  return ({ place, answer }) => {
    const expected = before.get(place) as Answer
    if (answer.etag !== expected.etag) return `ETag ${answer.etag}, before ${expected.etag}`
    if (answer.status === 304 || answer.body === expected.body) return null
    return `body ${sha256Hex(answer.body)}, before ${sha256Hex(expected.body)}: ${difference(expected.body, answer.body)}`
  }
}

function difference(before: string, after: string): string {
  const at = [...before].findIndex((letter, i) => letter !== after[i])
  return `at ${at}: '${before.slice(Math.max(0, at - 40), at + 40)}' became '${after.slice(Math.max(0, at - 40), at + 40)}'`
}
