import { expectedName } from '@catalog/core/text.ts'
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import { z } from 'zod'

/** The place of a value: ['sources', 2, 'schedule'] is sources[2].schedule. */
export type Path = readonly (string | number)[]
type Problem = Readonly<{ line: number; message: string }>

/** A hand-written YAML file: its value, and its problems by line. */
export type YamlFile = Readonly<{
  /** Null for an empty file, and for invalid YAML, which is a problem. */
  value: unknown
  /** Undefined where there is none. */
  at: (path: Path) => unknown
  /** From 1: the line of the key at the path, or of its nearest parent. */
  lineOf: (path: Path) => number
  /**
   * Reports the value at the path. `expectation` is a phrase such as "expected a list". Keeps the first problem of a
   * place.
   */
  report: (path: Path, expectation: string) => void
  /** The value at the path, parsed by the schema; undefined when it does not match, which is reported. */
  check: <T extends z.ZodType>(schema: T, path: Path) => z.output<T> | undefined
  /** In the order of lines. */
  problems: () => readonly Problem[]
}>

/**
 * Parses YAML or JSON. Refuses aliases and tags: no setting needs them, a few aliases expand to a huge value, and an
 * unquoted text with a leading * looks like one.
 */
export function readYamlFile(text: string): YamlFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true })
  const found = new Map<string, Problem>()
  const addAt = (offset: number, message: string) => {
    const { line } = lines.linePos(offset)
    if (!found.has(`line ${line}`)) found.set(`line ${line}`, { line, message })
  }
  const lost = text.indexOf('\ufffd')
  if (lost !== -1) addAt(lost, 'a character was not decoded: expected a file in UTF-8')
  visit(document, {
    Alias(_, { source, range }) {
      addAt(range?.[0] ?? 0, `'*${shownText(source)}': expected text in quotes, since * begins an alias of YAML`)
    },
  })
  for (const { pos, message } of [...document.errors, ...document.warnings]) addAt(pos[0], `expected YAML: ${message}`)
  const value: unknown = found.size === 0 ? document.toJS() : null

  const lineOf = (path: Path) => lines.linePos(offsetOf(document, path)).line
  function add(path: Path, message: string): void {
    const place = JSON.stringify(path)
    if (!found.has(place)) found.set(place, { line: lineOf(path), message: `${label(path)}${message}` })
  }
  function report(path: Path, expectation: string): void {
    // Some expectations begin with their subject.
    const subject = expectation.startsWith("'") ? '' : describe(valueAt(value, path))
    add(path, `${subject}: ${expectation}`)
  }
  return {
    value,
    at: (path) => valueAt(value, path),
    lineOf,
    report,
    check(schema, path) {
      const parsed = schema.safeParse(valueAt(value, path))
      if (parsed.success) return parsed.data
      for (const issue of parsed.error.issues) {
        const at = [...path, ...issue.path] as Path
        const known = keysAt(schema, issue.path)
        if (issue.code !== 'unrecognized_keys') report(...explain(issue, at))
        else for (const key of issue.keys) add([...at, key], `: unknown key, ${expectedName(key, known)}`)
      }
      return undefined
    },
    problems: () => [...found.values()].sort((a, b) => a.line - b.line),
  }
}

/** The offset of the key at the path, or of its nearest parent. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair === undefined) break
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset
      node = pair.value
    } else {
      node = isSeq(node) ? node.items[Number(step)] : undefined
      if (!isNode(node)) break
      offset = node.range?.[0] ?? offset
    }
  }
  return offset
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((at, step) => {
    return typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? at[step as keyof typeof at] : undefined
  }, value)
}

function label(path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shownText(step)}`))
  return steps.join('').replace(/^\./, '') || 'the file'
}

function describe(value: unknown): string {
  if (value === undefined) return ' is missing'
  if (value === null) return ' is empty'
  return typeof value === 'object' ? '' : `: '${shownText(String(value))}'`
}

const SHOWN_CHARS_MAX = 80

/** Quotes a text on one line, without the credentials and the query of an address, which may hold keys. */
function shownText(text: string): string {
  const address = /^\s*https?:/i.test(text) ? text.replace(/^[^:]*:.*@/s, '***@').replace(/\?.*$/s, '?…') : text
  const line = address.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
  return line.length > SHOWN_CHARS_MAX ? `${line.slice(0, SHOWN_CHARS_MAX)}…` : line
}

/** Prefers the schema's own message. For a union it explains the problem of the intended choice. */
function explain(issue: z.core.$ZodIssue, path: Path): [Path, string] {
  if (issue.message.startsWith('expected')) return [path, issue.message]
  switch (issue.code) {
    case 'invalid_type':
      return [path, `expected ${KINDS[issue.expected] ?? issue.expected}`]
    case 'invalid_value':
      return [path, `expected ${OR.format(issue.values.map(String))}`]
    case 'invalid_union': {
      const isOtherKind = ({ code, path }: z.core.$ZodIssue) => code === 'invalid_type' && path.length === 0
      const meant = issue.errors.find((issues) => !issues.some(isOtherKind))?.[0]
      if (meant !== undefined) return explain(meant, [...path, ...meant.path] as Path)
      const kinds = issue.errors.flatMap((issues) =>
        issues.map((each) => explain(each, path)[1].replace('expected ', '')),
      )
      return [path, `expected ${OR.format(kinds)}`]
    }
    default:
      return [path, issue.message.replace(/^[^:]*: (?=expected)/, '')]
  }
}
const KINDS: Readonly<Record<string, string>> = {
  string: 'text (a number in quotes)',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
}
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** The keys that a schema has at a path. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = bare(schema)
  for (const step of path) {
    const inner = at instanceof z.ZodObject ? at.shape[String(step)] : at instanceof z.ZodArray ? at.element : null
    at = bare(inner)
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema
}
