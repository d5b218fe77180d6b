import { z } from 'zod'

/** A member of a body that its schema does not know. */
export type UnknownMember = Readonly<{
  name: string
  /** Where it stands: "the body", or "lines[3]". */
  place: string
  /** The names that the schema knows there, in its order. */
  known: readonly string[]
}>

/** The first member that the schema does not know, in the order of the schema; undefined for a body of another shape. */
export function unknownMember(schema: unknown, value: unknown, place = ''): UnknownMember | undefined {
  const inner = withoutWrappers(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return firstOf(value.entries(), ([at, element]) => unknownMember(inner.element, element, `${place}[${at}]`))
  }
  if (!(inner instanceof z.ZodObject) || !isObject(value)) return undefined
  const known = Object.keys(inner.shape)
  const name = Object.keys(value).find((name) => !known.includes(name))
  if (name !== undefined) return { name, place: place === '' ? 'the body' : place, known }
  return firstOf(known, (name) =>
    unknownMember(inner.shape[name], value[name], place === '' ? name : `${place}.${name}`),
  )
}

/** Whether a parsed value is nested deeper than so many levels; a text or number has none. Its own stack never grows. */
export function isDeeperThan(value: unknown, levelsMax: number): boolean {
  const open: [value: unknown, level: number][] = [[value, 1]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [inner, level] = next
    if (typeof inner !== 'object' || inner === null || Buffer.isBuffer(inner)) continue
    if (level > levelsMax) return true
    for (const each of Object.values(inner)) open.push([each, level + 1])
  }
  return false
}

function withoutWrappers(schema: unknown): unknown {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function firstOf<T, Found>(values: Iterable<T>, find: (value: T) => Found | undefined): Found | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
