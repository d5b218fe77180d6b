import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { sha256Hex } from '@catalog/core/digest.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { crawlDays, dayNumberOf } from '@catalog/sample-market/calendar.ts'

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

type SampleEvents = Readonly<{
  topic: Topic
  events: readonly Readonly<{ key: string; value: string }>[]
  /** Events of the whole log. */
  of: number
}>

/**
 * The log of a first start on a day, in the order of its appends. `positions` gives the positions of vendor.observations as JSON, once
 * all of these are appended.
 */
export async function* sampleLog(day: string, positions: () => Promise<string>): AsyncGenerator<SampleEvents> {
  const spelled = logDays(day).map(spellingsOf)
  const ids: string[] = []
  let positionsText = ''
  const moved = (text: string) =>
    text.replaceAll(MARKED, (_mark, at?: string, spelling?: string, number?: string) => {
      if (at !== undefined) return spelled[letterNumber(at)]?.[letterNumber(spelling as string)] as string
      return number === undefined ? positionsText : (ids[Number.parseInt(number, NUMBER_BASE)] as string)
    })
  const recordedAt = `"recorded_at":"${day}T00:00:00Z"`
  const textOf = (kind: string, content: string) => {
    if (kind !== OBSERVATION_LINE) {
      const event = sorted(moved(content))
      return `${event.slice(0, -1)},"event_id":"${sha256Hex(event)}",${recordedAt}}`
    }
    const tab = content.indexOf('\t')
    const payload = moved(content.slice(tab + 1))
    const id = sha256Hex(payload)
    ids.push(id)
    const crawl = JSON.stringify(moved(content.slice(0, tab)))
    return `{"type":"ObservationRecorded","v":1,"event_id":"${id}",${recordedAt},"crawl_id":${crawl},${payload.slice(1)}`
  }
  const lines = brotliDecompressSync(readFileSync(LOG_FILE)).toString().split('\n')
  for (let [at, topic] = [0, TOPICS.decisions as Topic]; at < lines.length; topic = topicOf(lines[at])) {
    const events: { key: string; value: string }[] = []
    for (let line = lines[at]; line !== undefined && topicOf(line) === topic; line = lines[++at]) {
      const tab = line.indexOf('\t')
      events.push({ key: line.slice(1, tab), value: textOf(line.charAt(0), line.slice(tab + 1)) })
    }
    yield { topic, events, of: lines.length }
    // No positions come before the last observation.
    if (topic === TOPICS.observations) positionsText = await positions()
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

/** By how many days a log that ends on `day` is moved. */
export const movedDays = (day: string): number => dayNumberOf(day) - dayNumberOf(LOG_DAY)
