import type { Encoding, EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import { type ByteSource, COLUMNS_MAX, type ReadRecord, type RecordBatches } from '@catalog/formats/bytes/record.ts'
import { localName, type XmlElement } from './element.ts'
import { decodedText } from './entities.ts'
import type { XmlRecord } from './record-cutter.ts'
import { brokenRecord, xmlRecords } from './records.ts'

/** Records of XML documents that only a mapping explains: the elements at a path, with columns by path. */

export type ElementsOptions = Readonly<{
  name: string
  /** The end of the path to each record, by local names: "Articolo", "Contents/Item". */
  records: string | undefined
  /** The columns that are read; those that begin with ".." lead to the elements around a record. */
  columns: readonly string[]
  encoding?: Encoding | undefined
  onEncoding?: ((report: EncodingReport) => void) | undefined
}>

/** Elements of a record above the values that become columns without being asked for. */
const DEPTH_MAX = 6
const NAMES_SHOWN_MAX = 20

/**
 * Reads the elements at a path as records, by local names. Columns are "@code" for an attribute, "unit" and "analysis/price" for
 * the text of the first such child, "analysis/price/@value", "." for the element's own text, and "../title", "../../@code" for
 * the elements around it, as far as they stand before the record. Memory holds one record and the elements around it.
 *
 * Broken are a document without such an element (NO_RECORDS, ends the file), a record with more than {@link COLUMNS_MAX} values
 * (TOO_MANY_COLUMNS), and what {@link xmlRecords} says.
 */
export async function* readElements(source: ByteSource, options: ElementsOptions): RecordBatches {
  const { name, columns } = options
  const path = (options.records ?? '').split(/[/.]/).filter((step) => step !== '')
  const own = path.at(-1)
  const around = columns.filter((column) => column.startsWith('..'))
  const kept = new Set(around.map(keptName).filter((step) => step !== '' && !path.includes(step)))
  const seen = new Set<string>()
  let isFound = false
  const found = xmlRecords(source, {
    hasAncestors: true,
    encoding: options.encoding,
    onEncoding: options.onEncoding,
    isRecord(tag, ancestors) {
      const local = localName(tag)
      if (seen.size < NAMES_SHOWN_MAX) seen.add(local.slice(0, 50))
      return local === own && isBelow(ancestors, path.slice(0, -1))
    },
    isKept: (tag) => kept.has(localName(tag)),
  })
  for await (const batch of found) {
    const records = batch.flatMap((one): ReadRecord | [] => {
      const position = `${name} record ${one.number}`
      if (one.kind === 'broken') return brokenRecord(one, position)
      isFound = true
      return one.kind === 'record' ? recordOf(one, { position, around }) : []
    })
    if (records.length > 0) yield records
  }
  if (isFound) return
  const detail = `records '${options.records ?? ''}': no such element in the document, which has ${[...seen].join(', ') || 'none'}`
  yield [{ position: name, raw: '', reason: 'NO_RECORDS', detail, endsFile: true }]
}

/** "../../title/@lang" → "title"; '' for an attribute or a text of an element around a record. */
function keptName(column: string): string {
  const step = column.split('/').find((part) => part !== '..') ?? ''
  return /^[@.]/.test(step) ? '' : step
}

function isBelow(ancestors: readonly string[], path: readonly string[]): boolean {
  const nearest = ancestors.slice(ancestors.length - path.length)
  return ancestors.length >= path.length && path.every((name, i) => localName(nearest[i] ?? '') === name)
}

function recordOf(
  { element, raw, ancestors = [] }: XmlRecord,
  { position, around }: Readonly<{ position: string; around: readonly string[] }>,
): ReadRecord {
  const values: Values = { fields: Object.create(null), count: 0 }
  flatten(element, values, { path: '', depth: 0 })
  if (values.count > COLUMNS_MAX) {
    const detail = `the element has more than ${COLUMNS_MAX} values`
    return { position, raw, reason: 'TOO_MANY_COLUMNS', detail }
  }
  const { fields } = values
  for (const column of around) fields[column] = textAround(ancestors, column)
  return { position, raw, fields }
}

type Values = { readonly fields: Record<string, string>; count: number }

/** Puts attributes and texts into fields by their path. The first of repeated elements counts. */
function flatten(
  { attributes, text, children }: XmlElement,
  values: Values,
  { path, depth }: Readonly<{ path: string; depth: number }>,
): void {
  const below = path === '' ? '' : `${path}/`
  add(values, path === '' ? '.' : path, text)
  for (const [name, value] of Object.entries(attributes)) add(values, `${below}@${localName(name)}`, value)
  const seen = new Set<string>()
  for (const child of children) {
    const name = localName(child.name)
    if (seen.has(name) || depth >= DEPTH_MAX || values.count > COLUMNS_MAX) continue
    seen.add(name)
    flatten(child, values, { path: `${below}${name}`, depth: depth + 1 })
  }
}

function add(values: Values, column: string, text: string): void {
  values.count++
  values.fields[column] ??= text
}

/** The text at "../title" among the elements around a record, of which the last is the nearest; '' without one. */
function textAround(ancestors: readonly XmlElement[], column: string): string {
  const steps = column.split('/')
  const up = steps.findIndex((step) => step !== '..')
  const rest = up === -1 ? [] : steps.slice(up)
  let at = ancestors.at(-(up === -1 ? steps.length : up))
  for (const step of rest) {
    if (at === undefined || step === '.') break
    if (step.startsWith('@')) return attributeOf(at, step.slice(1))
    at = at.children.find(({ name }) => localName(name) === step)
  }
  const isAround = at !== undefined && ancestors.includes(at)
  return isAround ? decodedText(at?.text ?? '').trim() : (at?.text ?? '')
}

function attributeOf({ attributes }: XmlElement, wanted: string): string {
  return Object.entries(attributes).find(([name]) => localName(name) === wanted)?.[1] ?? ''
}
