import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { sha256Hex } from '@catalog/core/digest.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { crawlDays } from '@catalog/sample-market/calendar.ts'

/**
 * The log that a first start with the sample on {@link LOG_DAY} leaves, as one compressed file: `npx node
 * infra/stack/sample-log.ts` writes it. Reading it moves its days, so that the sample is as old as on that day.
 *
 * A line is a kind, the key, a tab and the event in canonical JSON without its id and time, which follow from the rest. An
 * observation's line has its crawl before the payload that its id is the hash of. Control characters stand for what moves.
 */
export const LOG_DAY = '2026-11-29'
export const LOG_FILE = new URL('./sample-log.br', import.meta.url)
const LINE_KINDS: Readonly<Record<string, Topic>> = {
  o: TOPICS.observations,
  v: TOPICS.observations,
  d: TOPICS.decisions,
  i: TOPICS.items,
}
const OBSERVATION_LINE = 'o'

/** The crawled days of a log that ends on a day. */
export const logDays = (day: string): string[] => crawlDays({ firstStartDay: day, today: day })

/** The spellings of a day in the log: of instants, of the vendors' files, and of ids of runs. */
export function spellingsOf(day: string): string[] {
  const [year = '', month = '', date = ''] = day.split('-')
  const spelled = (...parts: string[]) => ['/', '-', '.'].map((separator) => parts.join(separator))
  return [day, ...spelled(date, month, year), ...spelled(month, date, year), `run_${year}${month}${date}`]
}

/** Stand for the day and spelling that follow as two letters, the number of an observation, and the positions of observations. */
export const MARKS = { day: '\u0001', observation: '\u0002', end: '\u0003', positions: '\u0004' } as const
const MARKED = new RegExp(`${MARKS.day}(.)(.)|${MARKS.observation}([0-9a-z]+)${MARKS.end}|${MARKS.positions}`, 'g')
export const NUMBER_BASE = 36

/** Precedes the day and the vendor in the ids of the sample's crawls. */
export const CRAWL_PREFIX = 'sample/'

export type SampleEvents = Readonly<{
  topic: Topic
  events: readonly Readonly<{ key: string; value: string }>[]
  /** Events of all batches. */
  of: number
}>

export type SampleLog = Readonly<{
  /** Crawls of a day: one for each vendor. */
  crawlsOfDay: number
  /**
   * The log of a first start on a day, in the order of its appends. `positions` gives the positions of vendor.observations as JSON,
   * once all of these are appended.
   */
  all: (day: string, positions: () => Promise<string>) => AsyncIterable<SampleEvents>
  /** The lists of a day. Those after the last day are older ones, in an order in which prices go on. */
  list: (number: number, day: string) => Iterable<SampleEvents>
  sources: (day: string) => Iterable<SampleEvents>
}>

export function openSampleLog(): SampleLog {
  const lines = brotliDecompressSync(readFileSync(LOG_FILE)).toString().split('\n')
  const registered = lines.filter((line) => line.includes('"type":"SourceRegistered"'))
  return {
    crawlsOfDay: registered.length,
    async *all(day, positions) {
      let text = ''
      for (const batch of batchesOf(lines, { day, days: logDays(day), positions: () => text })) {
        yield batch
        // No positions come before the last observation.
        if (batch.topic === TOPICS.observations) text = await positions()
      }
    },
    list(number, day) {
      const turn = number % (2 * LAST_LIST)
      const crawl = `${CRAWL_PREFIX}${MARKS.day}${numberLetter(Math.min(turn, 2 * LAST_LIST - turn))}`
      return batchesOf(
        lines.filter((line) => topicOf(line) === TOPICS.observations && line.includes(crawl)),
        on(day),
      )
    },
    sources: (day) => batchesOf(registered, on(day)),
  }
}
const LAST_LIST = logDays(LOG_DAY).length - 1

type Placed = Readonly<{ day: string; days: readonly string[]; positions: () => string }>
const on = (day: string): Placed => ({ day, days: logDays(LOG_DAY).map(() => day), positions: () => '' })

/** Consecutive events of one topic, with the days that their marks stand for. */
function* batchesOf(lines: readonly string[], { day, days, positions }: Placed): Generator<SampleEvents> {
  const spelled = days.map(spellingsOf)
  const ids: string[] = []
  const moved = (text: string) =>
    text.replaceAll(MARKED, (_mark, at?: string, spelling?: string, number?: string) => {
      if (at !== undefined) return spelled[letterNumber(at)]?.[letterNumber(spelling as string)] as string
      return number === undefined ? positions() : (ids[Number.parseInt(number, NUMBER_BASE)] as string)
    })
  const recordedAt = `"recorded_at":"${day}T00:00:00Z"`
  const textOf = (kind: string, content: string) => {
    if (kind !== OBSERVATION_LINE) {
      const event = sorted(moved(content))
      return `${event.slice(0, -1)},"event_id":"${sha256Hex(event)}",${recordedAt}}`
    }
    const [crawl = '', payload = ''] = moved(content).split('\t')
    const id = sha256Hex(payload)
    ids.push(id)
    return `{"type":"ObservationRecorded","v":1,"event_id":"${id}",${recordedAt},"crawl_id":"${crawl}",${payload.slice(1)}`
  }
  for (let at = 0; at < lines.length; ) {
    const topic = topicOf(lines[at])
    const events: { key: string; value: string }[] = []
    for (let line = lines[at]; line !== undefined && topicOf(line) === topic; line = lines[++at]) {
      const tab = line.indexOf('\t')
      events.push({ key: line.slice(1, tab), value: textOf(line.charAt(0), line.slice(tab + 1)) })
    }
    yield { topic, events, of: lines.length }
  }
}

const topicOf = (line = '') => LINE_KINDS[line.charAt(0)] as Topic

/** Days and spellings are numbered by letters. */
export const numberLetter = (number: number) => String.fromCharCode(FIRST_LETTER + number)
const letterNumber = (letter: string) => letter.charCodeAt(0) - FIRST_LETTER
const FIRST_LETTER = 97

/** Lists of observations are in the order of their ids, which moved with the days. */
function sorted(event: string): string {
  return event.replace(EXCLUDED, (list) => {
    const excluded = JSON.parse(list) as { id: string; reason: string }[]
    const keyOf = ({ id, reason }: { id: string; reason: string }) => `${id} ${reason}`
    return JSON.stringify(excluded.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
  })
}
const EXCLUDED = /(?<="excluded":)\[\{[^\]]*\},\{[^\]]*\]/
