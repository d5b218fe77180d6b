import { recordableText } from '@catalog/formats/bytes/vendor-text.ts'
import { compile, selectAll } from 'css-select'
import { isTraversal, parse, type Selector } from 'css-what'
import { type AnyNode, DomHandler, type Element, hasChildren, isTag, isText } from 'domhandler'
import { DomUtils } from 'htmlparser2'
import { z } from 'zod'
import { NOT_TEXT, walkPage } from './page.ts'

/**
 * CSS selectors by which an operator says where a page's text has its price, name and so on. Nothing is read from the text
 * of a page without them.
 */

/** Fields that a selector may name. */
export const SELECTOR_FIELDS = ['price', 'name', 'sku', 'unit', 'gtin', 'brand', 'availability'] as const
export type SelectorField = (typeof SELECTOR_FIELDS)[number]

/** Longest selector. */
const SELECTOR_CHARS_MAX = 300
/** Elements of a page with selectors; product pages have some thousand. */
const ELEMENTS_MAX = 100_000
/** Elements of one selector whose texts are read; more of them are no value of one product. */
export const MATCHES_MAX = 100
/** Steps over elements that all selectors of one page may take: counted instead of timed, so that every reading agrees. */
const STEPS_MAX = 10_000_000
/** Characters that are compared in the time of a step. */
const CHARS_PER_STEP = 32
/** Longest text of one element. */
const TEXT_CHARS_MAX = 2_000
/** Texts of one selector, and characters of each, that a report shows. */
const TEXTS_SHOWN_MAX = 3
const TEXT_SHOWN_CHARS_MAX = 200

/** Pseudo-classes of CSS that depend on the page alone. */
const PSEUDO_CLASSES: ReadonlySet<string> = new Set(
  `not is where has root empty first-child last-child only-child first-of-type last-of-type only-of-type nth-child nth-last-child
  nth-of-type nth-last-of-type`.split(/\s+/),
)

const EXPECTATION =
  "expected a CSS selector such as .price, or one with an attribute such as 'meta[itemprop=price]@content'"

/** ".price" is the text of an element, "meta[itemprop=price]@content" the value of its attribute. */
const Written = z
  .string({ error: EXPECTATION })
  .min(1, { error: EXPECTATION })
  .max(SELECTOR_CHARS_MAX, { error: `expected at most ${SELECTOR_CHARS_MAX} characters` })
  .superRefine((written, context) => {
    const problem = selectorProblem(written)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })

/** The selectors of a source by field. */
export const Selectors = z.strictObject({
  price: Written,
  name: Written,
  sku: Written.optional(),
  unit: Written.optional(),
  gtin: Written.optional(),
  brand: Written.optional(),
  availability: Written.optional(),
} satisfies Record<SelectorField, unknown>)
export type Selectors = Readonly<z.infer<typeof Selectors>>

function selectorProblem(written: string): string | null {
  const { selector } = partsOf(written)
  try {
    const problem = problemIn(parse(selector))
    // Also compiles arguments such as 2n+1. Without a parent, nothing stands before the first part.
    if (problem === null) compile(selector, { relativeSelector: false })
    return problem
  } catch (error) {
    return `${(error as Error).message}; ${EXPECTATION}`
  }
}

/** The library knows more than CSS, such as `:contains()` and parents by `<`. */
function problemIn(alternatives: readonly (readonly Selector[])[]): string | null {
  if (alternatives.length === 0) return EXPECTATION
  for (const tokens of alternatives) {
    const last = tokens.at(-1)
    if (last === undefined || isTraversal(last)) return `nothing stands at its end; ${EXPECTATION}`
    for (const token of tokens) {
      if (!CSS_TOKENS.has(token.type)) return `${token.type} is not supported; ${EXPECTATION}`
      if (token.type !== 'pseudo') continue
      if (!PSEUDO_CLASSES.has(token.name)) return `:${token.name}: expected one of :${[...PSEUDO_CLASSES].join(', :')}`
      const inner = Array.isArray(token.data) ? problemIn(token.data) : problemOfCounted(token.data)
      if (inner !== null) return inner
    }
  }
  return null
}

/** "2n of .row" counts among the elements of a selector. */
function problemOfCounted(argument: string | null): string | null {
  const selector = /\sof\s+(.+)$/is.exec(argument ?? '')?.[1]
  return selector === undefined ? null : problemIn(parse(selector))
}

const CSS_TOKENS: ReadonlySet<string> = new Set(
  'attribute pseudo tag universal adjacent child descendant sibling'.split(' '),
)

function partsOf(written: string): Readonly<{ selector: string; attribute: string | null }> {
  const at = /(?<!\\)@([a-z_][\w:.-]*)$/i.exec(written)
  if (at === null) return { selector: written, attribute: null }
  return { selector: written.slice(0, at.index), attribute: (at[1] as string).toLowerCase() }
}

/** The elements that one selector finds on a page, and the distinct texts of the first {@link MATCHES_MAX}, none blank. */
type Finding = Readonly<{ elements: number; texts: readonly string[] }>
export type Findings = Readonly<Partial<Record<SelectorField, Finding>>>

/** Throws SelectorsTooSlow beyond the limits of elements and steps, and PageTooDeep. */
export function findingsOf(html: string, selectors: Selectors): Findings {
  const root = documentOf(html)
  const adapter = countedAdapter()
  const found = SELECTOR_FIELDS.flatMap((field): [SelectorField, Finding][] => {
    const written = selectors[field]
    return written === undefined ? [] : [[field, findingOf(written, root, adapter)]]
  })
  return Object.fromEntries(found)
}

/** The findings as reports show them: a few texts, cut, and without what people cannot see. */
export function shownFindings(findings: Findings): Findings {
  const shown = Object.entries(findings).map(([field, { elements, texts }]) => {
    const first = texts.slice(0, TEXTS_SHOWN_MAX).map((text) => recordableText(text).slice(0, TEXT_SHOWN_CHARS_MAX))
    return [field, { elements, texts: first }] as const
  })
  return Object.fromEntries(shown)
}

function documentOf(html: string): DomHandler['root'] {
  const handler = new DomHandler()
  let elements = 0
  walkPage(html, {
    open(name, attributes) {
      if (++elements > ELEMENTS_MAX)
        throw new SelectorsTooSlow(
          `a page of more than ${ELEMENTS_MAX} elements; expected at most so many beside selectors`,
        )
      handler.onopentag(name, attributes)
    },
    text: (text) => handler.ontext(text),
    close: () => handler.onclosetag(),
  })
  return handler.root
}

type Adapter = NonNullable<NonNullable<Parameters<typeof selectAll<AnyNode, Element>>[2]>['adapter']>

/** The library's view of a page, which counts its steps. */
function countedAdapter(): Adapter {
  let left = STEPS_MAX
  const counted = <T>(steps: number, value: T): T => {
    left -= steps
    if (left < 0)
      throw new SelectorsTooSlow(
        `the selectors take more than ${STEPS_MAX} steps; expected simpler ones, such as a class`,
      )
    return value
  }
  return {
    isTag: (node): node is Element => counted(1, isTag(node)),
    getAttributeValue(element, name) {
      const value = attributeOf(element, name)
      return counted(1 + Math.floor((value?.length ?? 0) / CHARS_PER_STEP), value)
    },
    hasAttrib: (element, name) => counted(1, Object.hasOwn(element.attribs, name)),
    getName: (element) => counted(1, element.name),
    getParent: (element) => counted(1, element.parent),
    getChildren: (node) => counted(1, hasChildren(node) ? node.children : []),
    prevElementSibling: (node) => counted(1, DomUtils.prevElementSibling(node)),
    // The library searches and copies these lists without a further call.
    getSiblings(node) {
      const siblings = DomUtils.getSiblings(node)
      return counted(siblings.length, siblings)
    },
    getText(node) {
      const text = DomUtils.textContent(node)
      return counted(1 + Math.floor(text.length / CHARS_PER_STEP), text)
    },
    removeSubsets: DomUtils.removeSubsets,
  }
}

function findingOf(written: string, root: AnyNode, adapter: Adapter): Finding {
  const { selector, attribute } = partsOf(written)
  const elements = selectAll<AnyNode, Element>(selector, root, { adapter })
  const texts = elements.slice(0, MATCHES_MAX).map((element) => {
    const text = attribute === null ? textOf(element) : (attributeOf(element, attribute) ?? '')
    return text.slice(0, TEXT_CHARS_MAX).replace(/\s+/g, ' ').trim()
  })
  return { elements: elements.length, texts: [...new Set(texts)].filter((text) => text !== '') }
}

const attributeOf = (element: Element, name: string) =>
  Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined

/** The text inside an element, without scripts and styles. Digits of two elements form two numbers: 12<sup>99</sup> is no 1299. */
function textOf(element: Element): string {
  let whole = ''
  let isAfterTag = false
  const add = (nodes: readonly AnyNode[]): void => {
    for (const node of nodes) {
      if (whole.length > TEXT_CHARS_MAX) return
      if (isText(node)) {
        const text = node.data.slice(0, RAW_CHARS_MAX).replace(/\s+/g, ' ')
        whole += isAfterTag && /\d$/.test(whole) && /^\d/.test(text) ? ` ${text}` : text
        isAfterTag = false
      } else if (isTag(node) && !NOT_TEXT.has(node.name)) {
        isAfterTag = true
        if (node.name === 'br') whole += ' '
        add(node.children)
        isAfterTag = true
      }
    }
  }
  add(element.children)
  return whole
}
/** Characters of one piece of text with the white space of its template. */
const RAW_CHARS_MAX = 10 * TEXT_CHARS_MAX

export class SelectorsTooSlow extends Error {
  override name = 'SelectorsTooSlow'
}
