import { ExactNumber } from '@catalog/formats/bytes/exact-json.ts'
import { parsedScript } from './json-ld-text.ts'
import { textOfMarkup } from './page.ts'

/**
 * An entity of schema.org, from JSON-LD or microdata: types, an id, and properties with several values. All names are
 * local: "https://schema.org/Offer" and "schema:Offer" are "Offer".
 */
export type Thing = Readonly<{
  types: readonly string[]
  id: string | null
  /** Without a prototype, so a property may be called "constructor". */
  properties: Readonly<Record<string, readonly Value[]>>
}>
export type Value = string | ExactNumber | Thing

/** Levels of one script; product descriptions have some ten. */
const JSON_DEPTH_MAX = 40
/** Values of one script; a list of a hundred products with variants has some ten thousand. */
const JSON_VALUES_MAX = 100_000

/**
 * Reads the things of one JSON-LD script: its objects, the objects of its array, and those of `@graph`. {@link
 * parsedScript} reads what templates write nearly right. Throws SyntaxError
 * for a text that is no JSON, no object, too deep or too wide.
 */
export function readJsonLd(script: string): Thing[] {
  const values = parsedScript(script)
  const budget = { left: JSON_VALUES_MAX }
  const things = values.flatMap((value) => valuesOf(value, { depth: 0, budget })).filter(isThing)
  const isEmpty = values.every((value) => Array.isArray(value) && value.length === 0)
  if (things.length === 0 && !isEmpty) throw new SyntaxError('expected an object')
  return things.flatMap((thing) => {
    const graph = (thing.properties['@graph'] ?? []).filter(isThing)
    return thing.types.length === 0 && graph.length > 0 ? graph : [thing, ...graph]
  })
}
type Conversion = Readonly<{ depth: number; budget: { left: number } }>

function valuesOf(json: unknown, { depth, budget }: Conversion): Value[] {
  if (depth > JSON_DEPTH_MAX) throw new SyntaxError(`expected at most ${JSON_DEPTH_MAX} levels`)
  if (--budget.left < 0) throw new SyntaxError(`expected at most ${JSON_VALUES_MAX} values`)
  if (json === null || json === undefined) return []
  if (typeof json === 'string' || json instanceof ExactNumber) return [json]
  if (typeof json !== 'object') return [String(json)]
  const deeper = { depth: depth + 1, budget }
  if (Array.isArray(json)) return json.flatMap((member) => valuesOf(member, deeper))
  const object = json as Readonly<Record<string, unknown>>
  for (const wrapper of ['@value', '@list', '@set']) {
    if (Object.hasOwn(object, wrapper)) return valuesOf(object[wrapper], deeper)
  }
  const properties: Record<string, readonly Value[]> = Object.create(null)
  let [types, id]: [readonly string[], string | null] = [[], null]
  for (const [key, member] of Object.entries(object)) {
    if (key === '@context') continue
    const values = valuesOf(member, deeper)
    if (key === '@type' || key === 'type') types = values.map(plain).map(localName)
    else if (key === '@id' || key === 'id') id = plain(values[0] ?? '') || null
    else {
      // Wix writes "Availability"; no property of schema.org begins with a capital.
      const name = localName(key).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
      const read = PRICES.has(name) ? values.map(withoutEntities) : values
      properties[name] = properties[name] === undefined ? read : [...properties[name], ...read]
    }
  }
  return [{ types, id, properties }]
}

const PRICES: ReadonlySet<string> = new Set(['price', 'lowPrice', 'highPrice', 'priceCurrency'])

/** Templates print the price of a page into its script: "12,50&nbsp;&euro;". */
function withoutEntities(value: Value): Value {
  return typeof value === 'string' && value.includes('&') ? textOfMarkup(value.slice(0, PRICE_CHARS_MAX)) : value
}
/** Longer texts are no price. */
const PRICE_CHARS_MAX = 200

/** "https://schema.org/Offer", "schema:Offer", "http://purl.org/goodrelations/v1#Sell" → "Offer", "Sell". */
export function localName(name: string): string {
  return /[/#:]([^/#:]+)\/?$/.exec(name)?.[1] ?? name
}

export function isThing(value: Value): value is Thing {
  return typeof value === 'object' && !(value instanceof ExactNumber)
}

export function isA(thing: Thing, types: ReadonlySet<string>): boolean {
  return thing.types.some((type) => types.has(type))
}

/** All texts and numbers of a property, without blanks. */
export function textsOf(thing: Thing, property: string): readonly string[] {
  return (thing.properties[property] ?? []).map(plain).filter((text) => text !== '')
}

/** The first text or number among these properties; '' without one. */
export function textOf(thing: Thing, ...properties: readonly string[]): string {
  for (const property of properties) {
    const [first] = textsOf(thing, property)
    if (first !== undefined) return first
  }
  return ''
}

/** The texts of a property, or the names of its things: a brand, a category. */
export function namesOf(thing: Thing, property: string): readonly string[] {
  const values = thing.properties[property] ?? []
  return values.map((value) => (isThing(value) ? textOf(value, 'name') : plain(value))).filter((name) => name !== '')
}

function plain(value: Value): string {
  if (isThing(value)) return ''
  return value instanceof ExactNumber ? value.digits : value.trim()
}

/** A thing as compact JSON without some properties, cut at `charsMax`. */
export function jsonOf(thing: Thing, options: Readonly<{ without: ReadonlySet<string>; charsMax: number }>): string {
  const simple = (value: Value, without: ReadonlySet<string>): unknown => {
    if (!isThing(value)) return value instanceof ExactNumber ? value.digits : value
    const members = Object.entries(value.properties).filter(([name]) => !without.has(name))
    const type = value.types.length > 0 ? { '@type': value.types.join(' ') } : {}
    const inner = members.map(([name, values]) => {
      const parts = values.map((one) => simple(one, NOTHING))
      return [name, parts.length === 1 ? parts[0] : parts]
    })
    return { ...type, ...(value.id !== null && { '@id': value.id }), ...Object.fromEntries(inner) }
  }
  return JSON.stringify(simple(thing, options.without)).slice(0, options.charsMax)
}
const NOTHING: ReadonlySet<string> = new Set()

type MutableThing = { types: string[]; id: string; properties: Record<string, readonly Value[]> }

/**
 * Resolves things by id. A reference becomes the thing that it refers to. Two descriptions of one id merge unless they
 * contradict each other: some pages give all variants the id of their product.
 */
export class ThingIndex {
  readonly #byId = new Map<string, MutableThing>()

  constructor(roots: readonly Thing[]) {
    const pending = [...roots].reverse()
    for (let thing = pending.pop(); thing !== undefined; thing = pending.pop()) {
      // One by one: an argument list cannot hold a hundred thousand.
      for (const values of Object.values(thing.properties).reverse()) {
        for (const value of values.toReversed()) if (isThing(value)) pending.push(value)
      }
      if (thing.id === null || isReference(thing)) continue
      const known = this.#byId.get(thing.id)
      if (known === undefined) {
        // One copy that grows in place, because an id may have thousands of descriptions.
        const properties = Object.assign(Object.create(null), thing.properties)
        this.#byId.set(thing.id, { types: [...thing.types], id: thing.id, properties })
      } else if (agree(known, thing)) {
        for (const [name, values] of Object.entries(thing.properties)) known.properties[name] ??= values
        for (const type of thing.types) if (!known.types.includes(type)) known.types.push(type)
      }
    }
  }

  resolve(thing: Thing): Thing {
    const known = thing.id === null ? undefined : this.#byId.get(thing.id)
    return known !== undefined && (isReference(thing) || agree(known, thing)) ? known : thing
  }

  /** The things of a property, with references resolved. */
  thingsOf(thing: Thing, property: string): readonly Thing[] {
    return (thing.properties[property] ?? []).filter(isThing).map((value) => this.resolve(value))
  }
}

function isReference(thing: Thing): boolean {
  return Object.keys(thing.properties).length === 0
}

/** Whether no property has different texts in both descriptions. */
function agree(one: Thing, other: Thing): boolean {
  return Object.keys(other.properties).every((property) => {
    const [mine, theirs] = [textOf(one, property), textOf(other, property)]
    return mine === '' || theirs === '' || mine === theirs
  })
}

/** The things of a page by syntax. */
export type Graph = Readonly<{ roots: readonly Thing[]; index: ThingIndex }>

/** Properties that lead to other products, which have pages of their own. */
export const NOT_FOLLOWED: ReadonlySet<string> = new Set(
  'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor addOn review reviews'.split(' '),
)

/** Each thing once, in page order. */
export function* allThings({ roots, index }: Graph): Generator<Thing> {
  const seen = new Set<Thing>()
  const pending = roots.toReversed()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const thing = index.resolve(next)
    if (seen.has(thing)) continue
    seen.add(thing)
    yield thing
    for (const [property, values] of Object.entries(thing.properties).reverse()) {
      if (NOT_FOLLOWED.has(property)) continue
      for (const value of values.toReversed()) if (isThing(value)) pending.push(value)
    }
  }
}
