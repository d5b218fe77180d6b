import { attributeDifference } from '@catalog/core/attributes/attribute-differences.ts'
import { contradictoryRoles, plainCode } from '@catalog/core/attributes/attributes-of.ts'
import { KIND_SUBJECTS, kindDifference } from '@catalog/core/kinds/differences.ts'
import { readPairText } from './pair-measures.ts'
import { type MatchText, type Reading, readingOf } from './sku-reading.ts'
import { unexplainedBy } from './variant-measures.ts'

/**
 * A statement of each side that cannot both be true of one product. `about` names the subject: "unit", "gtin", "kind"
 * or another word of kinds, the role of an attribute ("concrete strength", "length", "colour"), "purpose", "legend" or
 * "letter or number". `one` and `other` are the two values, several joined by ", ".
 */
export type Contradiction = Readonly<{ about: string; one: string; other: string }>

/** Otherwise equal names with another letter or numeral in one place. */
const PLACE = 'letter or number'
/** A thing, and another thing for it. */
const PURPOSE = 'purpose'
/** One action, on things of which no word is shared. */
const OBJECT = 'object of work'
/** Names that are equal up to their last comma, with other words behind it. */
const LEGEND = 'legend'

/** Compares one subject of two SKUs. Symmetric but for the sides; null when both sides can be true. */
type Comparison = (a: Reading, b: Reading) => Contradiction | null

/** Asked in this order, after the units: the first contradiction is reported. Each with the subjects that it compares. */
const COMPARISONS: readonly Readonly<{ subjects: () => readonly string[]; compare: Comparison }>[] = [
  { subjects: () => ['gtin'], compare: gtinContradiction },
  { subjects: () => KIND_SUBJECTS, compare: kindContradiction },
  { subjects: contradictoryRoles, compare: attributeContradiction },
  { subjects: () => [PURPOSE], compare: purposeContradiction },
  { subjects: () => [OBJECT], compare: objectContradiction },
  { subjects: () => [LEGEND], compare: legendContradiction },
  { subjects: () => [PLACE], compare: placeContradiction },
]

/** What SKUs can contradict each other in: every `about` but designations of plain text ("type dn"). */
export function contradictionSubjects(): readonly string[] {
  return ['unit', ...COMPARISONS.flatMap(({ subjects }) => subjects())]
}

/**
 * The first contradiction that forbids two SKUs to share an item, whatever rule would join them; null when there is
 * none. Swapped SKUs give the same contradiction with its sides swapped.
 */
export function contradictionBetween(a: MatchText, b: MatchText): Contradiction | null {
  const [one, other] = [readingOf(a), readingOf(b)]
  return unitContradiction(one, other) ?? firstContradiction(one, other)
}

/** The same without the units, for rules that compare what is sold by themselves: a bag and a kilogram. */
export function contradictionBesidesUnit(a: MatchText, b: MatchText): Contradiction | null {
  return firstContradiction(readingOf(a), readingOf(b))
}

/**
 * The first contradiction between two texts in their unit or in an attribute that both state. A vendor rewords its texts, so of one
 * reference neither silence nor anything else that the gates compare is certain.
 */
export function statedContradiction(a: MatchText, b: MatchText): Contradiction | null {
  const [one, other] = [readingOf(a), readingOf(b)]
  const found = unitContradiction(one, other) ?? attributeContradiction(one, other)
  const isStated = ({ about }: Contradiction) =>
    about === 'unit' || [one, other].every((text) => text.attributes.has(about))
  return found && isStated(found) ? found : null
}

function firstContradiction(one: Reading, other: Reading): Contradiction | null {
  for (const { compare } of COMPARISONS) {
    const found = compare(one, other)
    if (found) return found
  }
  return null
}

/** Units of different dimension: prices per one do not convert into prices per the other. */
function unitContradiction({ sold: one }: Reading, { sold: other }: Reading): Contradiction | null {
  if (one.dimension === null || other.dimension === null || one.dimension === other.dimension) return null
  return { about: 'unit', one: one.dimension, other: other.dimension }
}

function gtinContradiction({ gtin: one }: Reading, { gtin: other }: Reading): Contradiction | null {
  return one === null || other === null || one === other ? null : { about: 'gtin', one, other }
}

/** Another kind, grade or trade of labour, action of a work, or a machine with and without its operator. */
function kindContradiction(a: Reading, b: Reading): Contradiction | null {
  return kindDifference(a.kind, b.kind)
}

/** Names that each hold a size, grade, class, colour or another attribute that the other lacks. */
function attributeContradiction(a: Reading, b: Reading): Contradiction | null {
  return attributeDifference(a.attributes, b.attributes)
}

/** "Concealed frame for toilet" and "Toilet, white": one thing is named only as what the other thing is for. */
function purposeContradiction(a: Reading, b: Reading): Contradiction | null {
  if (a.lang !== b.lang || isOneGtin(a, b) || !(isFor(a, b) || isFor(b, a))) return null
  return { about: PURPOSE, one: a.head as string, other: b.head as string }
}

const isFor = (a: Reading, b: Reading) =>
  a.head !== null && b.head !== null && a.serves.has(b.head) && !b.serves.has(b.head) && !b.words.has(a.head)

/** One number outweighs words, which differ in style too. */
const isOneGtin = (a: Reading, b: Reading) => a.gtin !== null && a.gtin === b.gtin

/** "Demolición de entablado de cedro" and "Demolición de solado cerámico": one action on things that share no word. */
function objectContradiction(a: Reading, b: Reading): Contradiction | null {
  if (a.lang === null || a.lang !== b.lang || a.kind.action === null || a.kind.action !== b.kind.action) return null
  const [one, other] = [objectStems(a), objectStems(b)]
  if (one.size === 0 || other.size === 0 || !one.isDisjointFrom(other) || isOneGtin(a, b)) return null
  return { about: OBJECT, one: [...one].join(', '), other: [...other].join(', ') }
}

/** The words of a work but those of its action, without their endings. */
function objectStems({ words, kind }: Reading): ReadonlySet<string> {
  const ofAction = new Set(
    kind.evidence.filter(({ about }) => about === 'action').flatMap(({ text }) => text.split(' ')),
  )
  const long = [...words].filter((word) => WORD.test(word) && word.length >= STEM_LETTERS && !ofAction.has(word))
  return new Set(long.map((word) => word.slice(0, STEM_LETTERS)))
}
/** Of a word that names a thing: "solados" and "solado" are one. */
const STEM_LETTERS = 5

/** "Marking, left arrow" and "Marking, through arrow": lists state a legend or a service behind the last comma. */
function legendContradiction(a: Reading, b: Reading): Contradiction | null {
  const [one, other] = [a.listed, b.listed]
  if (one === null || other === null || one.title !== other.title || a.lang !== b.lang || isOneGtin(a, b)) return null
  const [left, right] = [readPairText(one.legend), readPairText(other.legend)]
  if (unexplainedBy(left, right).length === 0 || unexplainedBy(right, left).length === 0) return null
  return { about: LEGEND, one: one.legend, other: other.legend }
}

/**
 * Otherwise equal names with another letter, numeral or bare size in the same place: "PIPE N13" and "PIPE H1". Words of
 * three letters and more, sizes with units and the order of the words have to be equal.
 */
function placeContradiction(a: Reading, b: Reading): Contradiction | null {
  if (a.tokens.length !== b.tokens.length) return null
  const apart: [string, string][] = []
  let hasWord = false
  for (const [at, one] of a.tokens.entries()) {
    const other = b.tokens[at] as string
    if (one === other) hasWord ||= WORD.test(one)
    else if (LETTER_OR_NUMERAL.test(one) && LETTER_OR_NUMERAL.test(other)) apart.push([one, other])
    else return null
  }
  const found = hasWord ? apart.find(([one, other]) => placeValue(one) !== placeValue(other)) : undefined
  return found ? { about: PLACE, one: bare(found[0]), other: bare(found[1]) } : null
}
const WORD = /^\p{L}{3,}$/u
/** C, II, N13, 2a, a whole number without a unit, and a size without one. */
const LETTER_OR_NUMERAL = /^(?:\p{L}|[ivx]{2,4}|\p{L}{1,2}\d{1,3}|\d{1,3}\p{L}|number=(?:\d{1,4}|[\d.]+(?:x[\d.]+)+))$/u
/** A size without a unit may be in any unit and order, so its digits count: 60x60 and 600x600 are one. */
function placeValue(token: string): string {
  const numbers = bare(token).split('x')
  if (numbers.length === 1) return plainCode(bare(token))
  return numbers
    .map((number) => number.replace('.', '').replace(/0+$/, ''))
    .sort()
    .join('x')
}
const bare = (token: string) => token.replace('number=', '')
