import { lines } from './lines.ts'
import { COLUMNS_MAX, RECORD_CHARS_MAX, type ReadRecord, type RecordBatches } from './record.ts'

/** How deep an object is unfolded into columns; deeper values stay JSON text. */
const DEPTH_MAX = 6

/**
 * Records of a text with one JSON object per line; blank lines are no records. Nested values become columns "a.b" and
 * "a.0"; null becomes blank. Numbers keep the digits of the file, so no price passes through a float. A line that is not
 * an object is broken (BAD_JSON).
 */
export async function* readJsonl(pieces: AsyncIterable<string>, options: Readonly<{ name: string }>): RecordBatches {
  for await (const batch of lines(pieces)) {
    const records: ReadRecord[] = []
    for (const line of batch) {
      const raw = line.text
      const position = `${options.name} line ${line.number}`
      if (raw.trim() === '') continue
      if (line.cut) {
        const detail = `the line is longer than ${RECORD_CHARS_MAX} characters`
        records.push({ position, raw, reason: 'RECORD_TOO_LONG', detail })
        continue
      }
      try {
        const fields: Record<string, string> = Object.create(null)
        const numbers = new Set<string>()
        const count = unfold(parseLine(raw), { path: '', depth: 0, fields, numbers })
        if (count > COLUMNS_MAX) {
          const detail = `the object has more than ${COLUMNS_MAX} values`
          records.push({ position, raw, reason: 'TOO_MANY_COLUMNS', detail })
        } else records.push({ position, raw, fields, numbers })
      } catch (error) {
        records.push({ position, raw, reason: 'BAD_JSON', detail: (error as Error).message.slice(0, 500) })
      }
    }
    if (records.length > 0) yield records
  }
}

/** A JSON number by its own digits. */
type JsonNumber = Readonly<{ digits: string }>
class Digits implements JsonNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

function parseLine(text: string): object {
  // The third argument of a reviver carries the source text; TypeScript's library does not know it yet.
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new Digits(context?.source ?? String(value)) : value
  const value: unknown = JSON.parse(text, reviver as (key: string, value: unknown) => unknown)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Digits) {
    throw new SyntaxError('expected an object on the line')
  }
  return value
}

type Unfolding = Readonly<{ path: string; depth: number; fields: Record<string, string>; numbers: Set<string> }>

/** Puts the values of an object or array into fields; returns how many, counting no further than the limit. */
function unfold(value: object, { path, depth, fields, numbers }: Unfolding): number {
  let count = 0
  for (const [key, member] of Object.entries(value)) {
    if (++count > COLUMNS_MAX) return count
    const column = path === '' ? key : `${path}.${key}`
    if (member instanceof Digits) {
      fields[column] = member.digits
      numbers.add(column)
    } else if (typeof member === 'object' && member !== null && depth + 1 < DEPTH_MAX) {
      count += unfold(member, { path: column, depth: depth + 1, fields, numbers }) - 1
      if (count > COLUMNS_MAX) return count
    } else if (typeof member === 'object' && member !== null) {
      fields[column] = JSON.stringify(member, (_key, inner) => (inner instanceof Digits ? inner.digits : inner))
    } else fields[column] = member === null ? '' : String(member)
  }
  return count
}
