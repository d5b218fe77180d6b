import { ExactNumber, parseExactJson } from '@catalog/formats/bytes/exact-json.ts'

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
 * Reads the things of one JSON-LD script: its object, the objects of its array, and those of `@graph`. Strips HTML
 * comments and CDATA marks around the text, and repairs unambiguous errors (see {@link repaired}). Throws SyntaxError
 * for a text that is no JSON, no object, too deep or too wide.
 */
export function readJsonLd(script: string): Thing[] {
  const text = script.trim().replace(BEFORE_JSON, '').replace(AFTER_JSON, '')
  const json = parsed(text)
  const budget = { left: JSON_VALUES_MAX }
  const things = valuesOf(json, { depth: 0, budget }).filter(isThing)
  if (things.length === 0 && !(Array.isArray(json) && json.length === 0)) throw new SyntaxError('expected an object')
  return things.flatMap((thing) => {
    const graph = (thing.properties['@graph'] ?? []).filter(isThing)
    return thing.types.length === 0 && graph.length > 0 ? graph : [thing, ...graph]
  })
}
/** Parses JSON with exact numbers; retries an invalid text after repairs. */
function parsed(text: string): unknown {
  let failure: unknown
  for (const attempt of [(source: string) => source, repaired]) {
    try {
      return parseExactJson(attempt(text))
    } catch (cause) {
      failure ??= cause
    }
  }
  // Endless nesting overflows the parser's stack, which is the page's fault.
  throw new SyntaxError((failure as Error).message.slice(0, 300), { cause: failure })
}
const BEFORE_JSON = /^(?:\s|<!--|\/\*[^{[]{0,200}?\*\/|\/\/|\/\*|\*\/|<!\[CDATA\[){1,100}/
const AFTER_JSON = /(?<=[\]}])(?:\s|-->|\/\/|\/\*|\*\/|\]\]>){1,100}$/

/**
 * Repairs nearly valid JSON of templates: line breaks and tabs inside strings become blanks; comments and trailing
 * commas go. Leaves missing or extra quotes, because the end of such a string would be a guess.
 */
function repaired(text: string): string {
  const kept: string[] = []
  /** Index in `kept` of a comma that only blanks follow so far. */
  let comma = -1
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string
    if (letter === '"') {
      const end = endOfString(text, at)
      kept.push(text.slice(at, end).replace(CONTROLS, ' '))
      comma = -1
      at = end
      continue
    }
    const commentEnd = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : ''
    if (commentEnd !== '') {
      const end = text.indexOf(commentEnd, at + 2)
      at = end === -1 ? text.length : end + commentEnd.length
      continue
    }
    if (comma !== -1 && (letter === '}' || letter === ']')) kept[comma] = ''
    if (letter === ',') comma = kept.length
    else if (letter.trim() !== '') comma = -1
    kept.push(letter)
    at++
  }
  return kept.join('')
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROLS = /[\u0000-\u001f]/g

/** The index after the closing quote of a string; the end of the text without one. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
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
    else properties[localName(key)] = values
  }
  return [{ types, id, properties }]
}

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
