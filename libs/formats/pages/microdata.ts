import type { Attributes } from './page.ts'
import { localName, type Thing, type Value } from './schema-org.ts'

/**
 * Reads the microdata of a page from a walk over its tags: elements with `itemscope` are things of schema.org, and
 * elements with `itemprop` inside are their properties.
 */

/** Marked elements of one page; a list of a hundred products has some thousand. */
const MARKED_ELEMENTS_MAX = 50_000
/** Longest text of one property, as long as the description of an observation. */
const VALUE_CHARS_MAX = 20_000
/** Text of all properties together; text inside several properties counts for each. */
const VALUES_CHARS_MAX = 16 * 1024 ** 2
/** Levels of nested things, and of elements that `itemref` refers to: references may form a cycle. */
const DEPTH_MAX = 20
/** Property visits of all things together: `itemref` may share one element among all. */
const VISITS_MAX = 200_000

/** An element with itemscope, itemprop, or an id that itemref may refer to. */
type Marked = Readonly<{ attributes: Attributes; children: Marked[] }> & { text: string | null }
type Open = Readonly<{ name: string; marked: Marked | null }>

export class MicrodataReader {
  readonly #roots: Marked[] = []
  readonly #byId = new Map<string, Marked>()
  readonly #open: Open[] = []
  /** Marked open elements, and those of them whose text is their value. */
  readonly #scopes: Marked[] = []
  readonly #collecting: Marked[] = []
  /** Elements that are a property of some thing. */
  readonly #properties = new Set<Marked>()
  /** A tag separates the next text from the last one. */
  #isAfterTag = false
  #marked = 0
  #chars = 0
  #visits = 0

  /** Throws MicrodataTooLarge beyond the limits. */
  open(name: string, attributes: Attributes): void {
    this.#isAfterTag = true
    const isMarked =
      attributes.itemscope !== undefined || attributes.itemprop !== undefined || attributes.id !== undefined
    if (!isMarked) {
      this.#open.push({ name, marked: null })
      return
    }
    if (++this.#marked > MARKED_ELEMENTS_MAX) {
      throw new MicrodataTooLarge(`more than ${MARKED_ELEMENTS_MAX} elements with itemscope, itemprop or id`)
    }
    const given = attributes.itemprop === undefined ? '' : valueOfTag(name, attributes)
    const marked: Marked = { attributes, children: [], text: given }
    const siblings = this.#scopes.at(-1)?.children ?? this.#roots
    siblings.push(marked)
    if (attributes.id !== undefined && !this.#byId.has(attributes.id)) this.#byId.set(attributes.id, marked)
    this.#open.push({ name, marked })
    this.#scopes.push(marked)
    if (given === null && attributes.itemscope === undefined) {
      marked.text = ''
      this.#collecting.push(marked)
    }
  }

  text(text: string): void {
    // "12<sup>99</sup> €" is not 1299: digits of two elements form two numbers.
    const apart = this.#isAfterTag && /^\d/.test(text) ? ' ' : ''
    this.#isAfterTag = false
    for (const marked of this.#collecting) {
      const whole = /\d$/.test(marked.text ?? '') ? apart + text : text
      const piece = whole.slice(0, VALUE_CHARS_MAX - (marked.text ?? '').length)
      marked.text += piece
      this.#chars += piece.length
      if (this.#chars > VALUES_CHARS_MAX)
        throw new MicrodataTooLarge(`more than ${VALUES_CHARS_MAX} characters of text`)
    }
  }

  close(): void {
    this.#isAfterTag = true
    const marked = this.#open.pop()?.marked ?? null
    if (marked === null) return
    this.#scopes.pop()
    if (this.#collecting.at(-1) === marked) this.#collecting.pop()
  }

  /** The things that are no property of another thing. Throws MicrodataTooLarge when itemref multiplies them. */
  things(): Thing[] {
    const found: { element: Marked; thing: Thing }[] = []
    const visit = (elements: readonly Marked[], isInside: boolean): void => {
      for (const element of elements) {
        const { itemscope, itemprop } = element.attributes
        // A property outside any thing stands for itself: broken templates close their product too early.
        if (itemscope !== undefined && (itemprop === undefined || !isInside))
          found.push({ element, thing: this.#thing(element, 0) })
        visit(element.children, isInside || itemscope !== undefined)
      }
    }
    visit(this.#roots, false)
    return found.filter(({ element }) => !this.#properties.has(element)).map(({ thing }) => thing)
  }

  #thing(element: Marked, depth: number): Thing {
    const { itemtype = '', itemid, itemref = '' } = element.attributes
    const properties: Record<string, Value[]> = Object.create(null)
    const referred = itemref.split(/\s+/).flatMap((id) => this.#byId.get(id) ?? [])
    const seen = new Set<Marked>([element])
    const take = (elements: readonly Marked[]): void => {
      for (const one of elements) {
        if (seen.has(one)) continue
        seen.add(one)
        if (++this.#visits > VISITS_MAX) throw new MicrodataTooLarge(`more than ${VISITS_MAX} properties by itemref`)
        const { itemscope, itemprop } = one.attributes
        if (itemprop !== undefined && depth < DEPTH_MAX) {
          this.#properties.add(one)
          const value = itemscope === undefined ? (one.text ?? '').trim() : this.#thing(one, depth + 1)
          for (const name of itemprop.split(/\s+/).filter((name) => name !== '')) {
            const values = properties[localName(name)]
            if (values === undefined) properties[localName(name)] = [value]
            else values.push(value)
          }
        }
        if (itemscope === undefined) take(one.children)
      }
    }
    take(element.children)
    take(referred)
    const types = itemtype.split(/\s+/).filter((type) => type !== '')
    return { types: types.map(localName), id: itemid ?? null, properties }
  }
}

/**
 * The value of an element from its attributes; null when its text is the value. `content` counts on any element, as
 * shops use it.
 */
function valueOfTag(name: string, attributes: Attributes): string | null {
  const { content, href, src, data, datetime, value } = attributes
  if (content !== undefined) return content
  if (name === 'meta') return ''
  if (name === 'a' || name === 'area' || name === 'link') return href ?? (name === 'link' ? '' : null)
  if (name === 'img' || name === 'source' || name === 'iframe' || name === 'video') return src ?? ''
  if (name === 'object') return data ?? ''
  if (name === 'time') return datetime ?? null
  return name === 'data' || name === 'meter' ? (value ?? null) : null
}

export class MicrodataTooLarge extends Error {
  override name = 'TooMuchMicrodata'
}
