import { MicrodataReader } from './microdata.ts'
import type { Attributes } from './page.ts'
import type { Thing } from './schema-org.ts'

/**
 * Reads the RDFa of a page that names schema.org, by the vocabulary of an element or a prefix, as microdata of the same
 * meaning: `typeof` is a thing, `property` and `rel` are its properties.
 */
export class RdfaReader {
  readonly #reader = new MicrodataReader()
  /** Whether the vocabulary of each open element is schema.org. */
  readonly #vocabularies: boolean[] = []
  /** Prefixes of schema.org at each open element. */
  readonly #prefixes: ReadonlySet<string>[] = []
  /** A property whose thing stands in a child: `<div rel="offers"><div typeof="Offer">`. */
  readonly #pending: (string | null)[] = []
  #isUsed = false

  /** Throws MicrodataTooLarge. */
  open(name: string, attributes: Attributes): void {
    const { vocab } = attributes
    const isSchema = vocab === undefined ? (this.#vocabularies.at(-1) ?? false) : SCHEMA_ORG.test(vocab)
    this.#vocabularies.push(isSchema)
    const prefixes = prefixesOf(attributes.prefix, this.#prefixes.at(-1) ?? DEFAULT_PREFIXES)
    this.#prefixes.push(prefixes)
    const types = termsOf(attributes.typeof, { isSchema, prefixes })
    const inherited = types === '' ? null : (this.#pending.at(-1) ?? null)
    const property = termsOf(attributes.property ?? attributes.rel, { isSchema, prefixes }) || (inherited ?? '')
    this.#isUsed ||= types !== ''
    const isRelation =
      property !== '' &&
      attributes.rel !== undefined &&
      types === '' &&
      !('href' in attributes) &&
      !('resource' in attributes)
    this.#pending.push(isRelation ? property : types === '' ? (this.#pending.at(-1) ?? null) : null)
    this.#reader.open(name, translated(attributes, { types, property: isRelation ? '' : property }))
  }

  text(text: string): void {
    this.#reader.text(text)
  }

  close(): void {
    this.#vocabularies.pop()
    this.#prefixes.pop()
    this.#pending.pop()
    this.#reader.close()
  }

  /** Throws MicrodataTooLarge. */
  things(): Thing[] {
    return this.#isUsed ? this.#reader.things() : []
  }
}

const SCHEMA_ORG = /^https?:\/\/(?:www\.)?schema\.org\/?$/i
const PREFIXED = /^(?:([\w-]+):|https?:\/\/(?:www\.)?schema\.org\/)([A-Za-z]\w*)$/
const DEFAULT_PREFIXES: ReadonlySet<string> = new Set(['schema'])
const PLAIN = /^[A-Za-z]\w*$/

/** The terms of schema.org among those of an attribute, without their prefix. */
function termsOf(
  written: string | undefined,
  { isSchema, prefixes }: Readonly<{ isSchema: boolean; prefixes: ReadonlySet<string> }>,
): string {
  const terms = (written ?? '').split(/\s+/).flatMap((term) => {
    const [, prefix, prefixed] = PREFIXED.exec(term) ?? []
    if (prefixed !== undefined && (prefix === undefined || prefixes.has(prefix))) return [prefixed]
    return isSchema && PLAIN.test(term) ? [term] : []
  })
  return terms.join(' ')
}

/** The prefixes of schema.org below an element with this `prefix`: "s: https://schema.org/ og: http://ogp.me/ns#". */
function prefixesOf(written: string | undefined, inherited: ReadonlySet<string>): ReadonlySet<string> {
  if (written === undefined) return inherited
  const prefixes = new Set(inherited)
  for (const [, prefix = '', address = ''] of written.matchAll(/([\w-]+):\s+(\S+)/g)) {
    if (SCHEMA_ORG.test(address)) prefixes.add(prefix)
    else prefixes.delete(prefix)
  }
  return prefixes
}

function translated(
  { content, href, resource, about }: Attributes & Readonly<Record<string, string>>,
  { types, property }: Readonly<{ types: string; property: string }>,
): Attributes {
  const value = content ?? (types === '' ? (resource ?? href) : undefined)
  return {
    ...(types !== '' && { itemscope: '', itemtype: types }),
    ...(property !== '' && { itemprop: property, ...(value !== undefined && { content: value }) }),
    ...(types !== '' && (resource ?? about) !== undefined && { itemid: resource ?? about ?? '' }),
  }
}
