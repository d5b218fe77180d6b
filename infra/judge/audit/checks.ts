import type { Answer } from './exchange.ts'
import type { openShapes } from './shapes.ts'

/**
 * A row states what it expects of an answer by one of these checks:
 * - `200` or `200|304`: the status
 * - `Error`: a body of this shape, and no other keys
 * - `OPERAND`, `!OPERAND`: it is there, it is not there
 * - `OPERAND OP VALUE`: each value of the operand compares so; with `has` and `lacks`, some or none does
 * - `same as REQUEST`: status and body equal those of another request.
 *
 * Operands are `@header`, `.path.of.*.values[with a name]` in JSON, `text`, and `<entry>`, how often that text occurs.
 */
export type Context = Readonly<{ shapes: ReturnType<typeof openShapes>; ask: (request: string) => Promise<Answer> }>

/** The problem of an answer; null when it is as expected. */
export async function problemOf(check: string, answer: Answer, { shapes, ask }: Context): Promise<string | null> {
  if (/^\d{3}(\|\d{3})*$/.test(check)) {
    return check.split('|').includes(String(answer.status)) ? null : `expected ${check}, found ${shown(answer)}`
  }
  if (/^[A-Z]\w+$/.test(check)) {
    const faults = shapes.faultsOf(check, jsonOf(answer))
    return faults.length === 0 ? null : faults.slice(0, 3).join('; ')
  }
  if (check.startsWith('same as ')) {
    const other = await ask(check.slice('same as '.length))
    const isSame = other.status === answer.status && other.text === answer.text
    return isSame ? null : `expected ${shown(other)}, found ${shown(answer)}`
  }
  const [, operand = '', op, value = ''] =
    /^(\S+)(?: (=|!=|~|!~|<=|>=|has|lacks|rises|falls|unique)(?: (.+))?)?$/s.exec(check) ?? []
  if (operand.startsWith('!')) {
    const found = valuesOf(operand.slice(1), answer)
    return found.length === 0 ? null : `${operand}: found ${JSON.stringify(found).slice(0, 200)}`
  }
  if (!/^[.@<]|^text$/.test(operand)) throw new Error(`check '${check}': expected one that checks.ts lists`)
  const found = valuesOf(operand, answer)
  const wanted = /^[.@]\S/.test(value) ? (valuesOf(value, answer)[0] ?? 'nothing') : value
  return holds(found, op, wanted) ? null : `${check}: found ${JSON.stringify(found).slice(0, 200)} in ${shown(answer)}`
}

type Comparison = (found: string, wanted: string) => boolean
const compare = (a: string, b: string) =>
  a !== '' && b !== '' && !Number.isNaN(Number(a)) && !Number.isNaN(Number(b))
    ? Number(a) - Number(b)
    : a < b
      ? -1
      : a > b
        ? 1
        : 0
const EACH: Readonly<Record<string, Comparison>> = {
  '=': (found, wanted) => found === wanted,
  '!=': (found, wanted) => found !== wanted,
  '~': (found, wanted) => new RegExp(wanted, 'su').test(found),
  '!~': (found, wanted) => !new RegExp(wanted, 'su').test(found),
  '<=': (found, wanted) => compare(found, wanted) <= 0,
  '>=': (found, wanted) => compare(found, wanted) >= 0,
}

/** An operand without a value holds nothing: a row must not pass on an empty answer. */
function holds(found: readonly string[], op: string | undefined, wanted: string): boolean {
  const pairs = found.slice(1).map((value, i) => compare(found[i] as string, value))
  if (op === 'lacks') return !found.includes(wanted)
  if (op === 'has') return found.includes(wanted)
  if (op === 'rises') return found.length > 0 && pairs.every((order) => order <= 0)
  if (op === 'falls') return found.length > 0 && pairs.every((order) => order >= 0)
  if (op === 'unique') return found.length > 0 && new Set(found).size === found.length
  const each = op === undefined ? () => true : (EACH[op] as Comparison)
  return found.length > 0 && found.every((value) => each(value, wanted))
}

/** The values of an operand as text; none where the answer has none. */
export function valuesOf(operand: string, answer: Answer): string[] {
  if (operand === 'text') return [answer.text]
  if (operand.startsWith('<')) return [String(answer.text.split(operand).length - 1)]
  if (operand.startsWith('@')) return [answer.headers[operand.slice(1)]].filter((value) => value !== undefined)
  const steps = [...operand.matchAll(/\[([^\]]+)\]|\.([^.[]+)/g)].map(([, named, plain]) => named ?? plain ?? '')
  const found = steps.reduce<unknown[]>(
    (values, step) => values.flatMap((value) => (step === '*' ? Object.values(Object(value)) : [Object(value)[step]])),
    [jsonOf(answer)],
  )
  return found.flatMap((value) =>
    value === undefined ? [] : [typeof value === 'string' ? value : JSON.stringify(value)],
  )
}

/** The body as JSON, also of a stream with one event; undefined where it is none. */
function jsonOf({ headers, text }: Answer): unknown {
  const data = headers['content-type']?.startsWith('text/event-stream') ? /^data: (.*)$/m.exec(text)?.[1] : text
  try {
    return JSON.parse(data ?? '')
  } catch {
    return undefined
  }
}

const shown = ({ status, text }: Answer) => `${status} ${text.slice(0, 200)}`
