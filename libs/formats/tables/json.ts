import {
  BATCH_RECORDS,
  type BrokenRecord,
  isBroken,
  type RawRecord,
  RECORD_CHARS_MAX,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { recordOfObject } from './flatten.ts'
import { BadJson, type JsonMember, type JsonPlace, kindAt, membersAt, rootOf } from './json-text.ts'
import { elementsAt, hasEach, type Placed } from './record-paths.ts'

/** Longest document, which is held in memory whole; larger data comes as JSON lines. */
export const JSON_CHARS_MAX = 16 * 1024 ** 2

export type JsonOptions = Readonly<{
  name: string
  /** Path of the records: keys and array indexes joined with points, "data.items"; "." is the document itself. */
  records?: string | undefined
  /** Whether an object with these columns is a record, if known. */
  isHeading?: ((columns: readonly string[]) => boolean) | undefined
}>

/**
 * Reads the records of one JSON document: the objects of the array at a path, or of an object there, whose keys become
 * the column `_key`. null counts as an empty list, and the path "." may name one record. Without a path, {@link
 * findRecords} searches for them. An empty list is no error. `recordOfObject` flattens each object.
 *
 * Broken are a record that is no object or unreadable (BAD_JSON; later ones are read) or too long (RECORD_TOO_LONG).
 * These end the file: a document that is too long (JSON_TOO_LONG) or invalid (BAD_JSON, after the records before), and
 * one without records (NO_RECORDS).
 */
export async function* readJson(pieces: AsyncIterable<string>, options: JsonOptions): RecordBatches {
  const { name } = options
  const text = await textOf(pieces)
  const ending = (reason: string, detail: string): [BrokenRecord] => [
    { position: name, raw: text.slice(0, RECORD_CHARS_MAX), reason, detail: detail.slice(0, 500), endsFile: true },
  ]
  if (text.length > JSON_CHARS_MAX) {
    return yield ending('JSON_TOO_LONG', `the document is longer than ${JSON_CHARS_MAX} characters`)
  }
  let records: ReadRecord[] = []
  try {
    const root = rootOf(text)
    if (options.records !== undefined && hasEach(options.records)) {
      return yield* recordsBelow(text, root, { name, path: options.records })
    }
    const place =
      options.records === undefined ? findRecords(text, { root, ...options }) : recordsAt(text, root, options.records)
    let number = 0
    for (const member of membersIn(text, place)) {
      records.push(recordOf(text, member, { position: `${name} record ${++number}`, isKeyed: place.kind === 'keyed' }))
      if (records.length < BATCH_RECORDS) continue
      yield records
      records = []
    }
    if (records.length > 0) yield records
  } catch (error) {
    if (!(error instanceof BadJson) && !(error instanceof NoRecords)) throw error
    yield [...records, ...ending(error instanceof BadJson ? 'BAD_JSON' : 'NO_RECORDS', error.message)]
  }
}

/** The text without its byte order mark, cut soon after the longest document. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  const buffered: string[] = []
  let length = 0
  for await (const piece of pieces) {
    buffered.push(piece)
    length += piece.length
    if (length > JSON_CHARS_MAX + 1) break
  }
  return buffered.join('').replace(/^\ufeff/, '')
}

/**
 * The records at a path through lists. The values of the objects around a record are columns too, by their path
 * ("products[*].title"), and by their name where the record has no such value.
 */
async function* recordsBelow(
  text: string,
  root: JsonPlace,
  { name, path }: Readonly<{ name: string; path: string }>,
): RecordBatches {
  let records: ReadRecord[] = []
  let number = 0
  let isFound = false
  const around = new Map<number, Readonly<Record<string, string>>>()
  for (const { parents, ...member } of elementsAt(text, root, path)) {
    isFound = true
    const record = recordOf(text, member, { position: `${name} record ${++number}`, isKeyed: false })
    records.push(isBroken(record) ? record : withParents(record, parents))
    if (records.length < BATCH_RECORDS) continue
    yield records
    records = []
  }
  if (records.length > 0) yield records
  const [first = ''] = path.split('[*]')
  if (!isFound && first !== '' && elementsAt(text, root, first).next().done === true) {
    throw new NoRecords(`records '${path}': no '${first}' in the document, which ${has(text, root)}`)
  }

  function withParents(record: RawRecord, parents: Placed['parents']): RawRecord {
    const fields: Record<string, string> = Object.create(null)
    const numbers = new Set<string>(record.numbers)
    for (const parent of parents) {
      const known = around.get(parent.at) ?? parentFields(text, parent, numbers)
      if (!around.has(parent.at)) {
        // Records come in order, so that few parents stay open.
        if (around.size > PARENTS_MAX) around.clear()
        around.set(parent.at, known)
      }
      for (const [key, value] of Object.entries(known)) {
        fields[`${parent.path}.${key}`] = value
        fields[key] = value
      }
    }
    return { ...record, fields: Object.assign(fields, record.fields), numbers }
  }
}
const PARENTS_MAX = 100

/** The values of an object without its lists. */
function parentFields(text: string, { at }: JsonPlace, numbers: Set<string>): Readonly<Record<string, string>> {
  const parts = [...membersAt(text, at)].filter((member) => kindAt(text, member.at) !== 'array')
  const object = `{${parts.map((member) => text.slice(member.from, member.end)).join(',')}}`
  const record = recordOfObject(object, { position: '' })
  if (isBroken(record)) return {}
  for (const column of record.numbers ?? []) numbers.add(column)
  return record.fields
}

/** Position of the records: elements of an array, values of an object, or one record. */
type Place = JsonPlace & Readonly<{ kind: 'list' | 'keyed' | 'one' }>

function membersIn(text: string, place: Place): Iterable<JsonMember> {
  return place.kind === 'one' ? [{ ...place, from: place.at, key: '' }] : membersAt(text, place.at)
}

function recordOf(
  text: string,
  { key, from, at, end }: JsonMember,
  { position, isKeyed }: Readonly<{ position: string; isKeyed: boolean }>,
): ReadRecord {
  const raw = text.slice(from, Math.min(end, from + RECORD_CHARS_MAX))
  if (end - at > RECORD_CHARS_MAX) {
    const detail = `the record is longer than ${RECORD_CHARS_MAX} characters`
    return { position, raw, reason: 'RECORD_TOO_LONG', detail }
  }
  // Checked before parsing: an exception for each of millions of numbers would take minutes.
  if (kindAt(text, at) !== 'object') return { position, raw, reason: 'BAD_JSON', detail: 'expected an object' }
  return recordOfObject(text.slice(at, end), { position, raw, key: isKeyed ? key : undefined })
}

/** Nothing at the position holds records. */
class NoRecords extends Error {
  override name = 'NoRecords'
}

/** The records at a path. Throws NoRecords when the path is missing or holds none. */
function recordsAt(text: string, root: JsonPlace, path: string): Place {
  let place = root
  let walked = 'the document'
  for (const key of path === '.' ? [] : path.split('.')) {
    const member = lastOf(membersAt(text, place.at), key)
    if (member === undefined) {
      throw new NoRecords(`records '${path}': no '${key}' in ${walked}, which ${has(text, place)}`)
    }
    walked = place === root ? `'${key}'` : `${walked.slice(0, -1)}.${key}'`
    place = member
  }
  const { at, end } = place
  const kind = kindAt(text, at)
  if (kind === 'array' || kind === 'null') return { at, end, kind: 'list' }
  const holdsObjects = all(membersAt(text, at), (member) => kindAt(text, member.at) === 'object')
  if (kind === 'object' && holdsObjects) return { at, end, kind: 'keyed' }
  // Deeper down, the path more likely ends too early.
  if (kind === 'object' && place === root) return { at, end, kind: 'one' }
  throw new NoRecords(
    `records '${path}': expected an array, or an object of objects, and ${walked} ${has(text, place)}`,
  )
}

/** The last value of a repeated key counts, as in JSON.parse. */
function lastOf(members: Iterable<JsonMember>, key: string): JsonMember | undefined {
  let last: JsonMember | undefined
  for (const member of members) if (member.key === key) last = member
  return last
}

function all<T>(values: Iterable<T>, holds: (value: T) => boolean): boolean {
  for (const value of values) if (!holds(value)) return false
  return true
}

/** Keys in a message, and characters of each. */
const KEYS_SHOWN_MAX = 20
const KEY_CHARS_SHOWN = 50

function has(text: string, { at }: JsonPlace): string {
  const kind = kindAt(text, at)
  return kind === 'object' ? shown(keysAt(text, at)) : KIND_SHOWN[kind]
}

function* keysAt(text: string, at: number): Generator<string, void, undefined> {
  for (const { key } of membersAt(text, at)) yield key
}

function shown(keys: Iterable<string>): string {
  const some: string[] = []
  for (const key of keys) {
    if (some.length === KEYS_SHOWN_MAX) return `has ${some.join(', ')} and more`
    some.push(key.slice(0, KEY_CHARS_SHOWN))
  }
  return some.length === 0 ? 'is empty' : `has ${some.join(', ')}`
}

const KIND_SHOWN = {
  array: 'is an array',
  text: 'is a text',
  null: 'is null',
  other: 'is a number or a boolean',
} as const

/** Limits of the search for lists: levels of objects below the root, objects, and lists. */
const LEVELS_MAX = 6
const OBJECTS_MAX = 1_000
const LISTS_MAX = 1_000
/** Records of a list that show its columns. */
const LOOKED_AT_RECORDS = 100

/**
 * Finds the records of a document without a path, in this order:
 * 1. the array at the root;
 * 2. the root, when it has the columns of a record;
 * 3. of the arrays that are reached through objects alone (so no variants of a product), the one with most objects.
 *    Arrays with the columns of a record come first, then upper ones before lower;
 * 4. an empty array;
 * 5. the root, when columns are unknown.
 *
 * Throws NoRecords otherwise.
 */
function findRecords(text: string, { root, isHeading }: JsonOptions & Readonly<{ root: JsonPlace }>): Place {
  const kind = kindAt(text, root.at)
  if (kind === 'array') return { ...root, kind: 'list' }
  if (kind !== 'object') throw new NoRecords(`expected an array or an object; the document ${KIND_SHOWN[kind]}`)
  const one = { ...root, kind: 'one' } as const
  const isRecord = (objects: readonly JsonPlace[]) => isHeading?.(columnsOf(text, objects)) ?? false
  if (isRecord([root])) return one
  let best: Readonly<{ place: JsonPlace; objects: number; isRecords: boolean }> | null = null
  let empty: JsonPlace | null = null
  for (const place of listsBelow(text, root)) {
    const { objects, others, first } = counted(text, place)
    if (objects + others === 0) empty ??= place
    if (objects === 0) continue
    const isRecords = isRecord(first)
    const isBetter = best === null || (isRecords === best.isRecords ? objects > best.objects : isRecords)
    if (isBetter) best = { place, objects, isRecords }
  }
  const list = best?.place ?? empty
  if (list !== null) return { ...list, kind: 'list' }
  if (isHeading === undefined) return one
  const columns = shown(columnsOf(text, [root]))
  throw new NoRecords(`expected a list of objects, or one object with the columns of a record; the document ${columns}`)
}

/** The arrays that are reached through objects alone, breadth first. */
function* listsBelow(text: string, root: JsonPlace): Generator<JsonPlace, void, undefined> {
  let level: JsonPlace[] = [root]
  let objects = 1
  let lists = 0
  for (let depth = 0; depth < LEVELS_MAX && level.length > 0; depth++) {
    const below: JsonPlace[] = []
    for (const object of level) {
      for (const { at, end } of membersAt(text, object.at)) {
        const kind = kindAt(text, at)
        if (kind === 'array' && lists++ < LISTS_MAX) yield { at, end }
        if (kind === 'object' && objects++ < OBJECTS_MAX) below.push({ at, end })
      }
    }
    level = below
  }
}

function counted(text: string, { at }: JsonPlace) {
  const first: JsonPlace[] = []
  let [objects, others] = [0, 0]
  for (const member of membersAt(text, at)) {
    if (kindAt(text, member.at) !== 'object') others++
    else if (++objects <= LOOKED_AT_RECORDS) first.push(member)
  }
  return { objects, others, first }
}

/** The columns of these objects together. */
function columnsOf(text: string, objects: readonly JsonPlace[]): readonly string[] {
  const columns = objects.flatMap(({ at, end }) => {
    if (end - at > RECORD_CHARS_MAX) return []
    const record = recordOfObject(text.slice(at, end), { position: '' })
    return isBroken(record) ? [] : Object.keys(record.fields)
  })
  return [...new Set(columns)]
}
