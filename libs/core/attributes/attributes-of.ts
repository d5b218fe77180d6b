import { once } from '@catalog/core/memo.ts'
import { multiply, parseDecimal, type Rational, rational, readNumber, toText } from '@catalog/core/money/rational.ts'
import { foldText } from '@catalog/core/text.ts'
import { chunksOf, designationsOf, preparedName, readSize } from '@catalog/core/units/sizes.ts'
import { vocabularies, vocabulariesOf } from './read-vocabularies.ts'
import type { ReadForm, ReadRole, Vocabulary } from './vocabulary.ts'

/** What a name says of the product beside its words: one value, or several that belong together (a face, 4x16 mm²). */
export type Attribute = Readonly<{
  /** A role of a vocabulary ("concrete strength"), or a dimension ("length") or family ("type dn") of plain text. */
  role: string
  /** Exact numbers in the unit ("25", "127/10") or codes ("b-l"), in the order of the name. Never empty. */
  values: readonly string[]
  /** Unit of the values; null for codes. */
  unit: string | null
  /** Evidence: the text that says it, folded. */
  text: string
}>

/** The texts of a SKU that state attributes. */
export type NamedSku = Readonly<{
  name: string
  lang?: string | undefined
  categoryPath?: readonly string[] | undefined
}>

/**
 * The attributes of a name, by the vocabularies of its trade, then plain sizes and designations of the rest. The
 * category only says the trade. Pure; equal texts give equal attributes in the same order.
 */
export function attributesOf(sku: NamedSku): readonly Attribute[] {
  const found: Attribute[] = []
  let text = preparedName(sku.name)
  const trade = `${text} ${foldText((sku.categoryPath ?? []).join(' '))}`
  const applying = vocabulariesOf(trade)
  for (const { pattern, roles } of applying) {
    if (pattern === null || text.search(pattern) === -1) continue
    for (const role of roles) text = readRole(text, { role, lang: sku.lang, found })
  }
  for (const attribute of wordAttributes(text, applying)) found.push(attribute)
  for (const { family, value } of designationsOf(text)) {
    found.push({ role: family, values: [value.replace(',', '.')], unit: null, text: `${family} ${value}` })
  }
  return [...found, ...sizeAttributes(text, sku.lang)]
}

/** The value of a role in a name that does not state it, by role; none for roles that a name may leave open. */
export function unstatedValues(): ReadonlyMap<string, string> {
  unstated ??= new Map(
    vocabularies().flatMap(({ roles }) => roles.flatMap((role) => (role.unstated ? [[role.role, role.unstated]] : []))),
  )
  return unstated
}
let unstated: ReadonlyMap<string, string> | undefined

/** Numbers agree within this share of the larger one, by role; exact for roles without one. */
export function toleranceOf(role: string): number {
  return tolerances().get(role) ?? (BASE_UNITS.has(role) ? ROUNDED_TOLERANCE : 0)
}
/** Rounding between inches and millimetres: 1.22 m and 4 ft agree, 11 mm and 11.1 mm differ. */
const ROUNDED_TOLERANCE = 0.005
/** The attributes of a name by role. A missing role means that the name does not say. */
export const rolesOf = (sku: NamedSku): ReadonlyMap<string, readonly Attribute[]> =>
  Map.groupBy(attributesOf(sku), ({ role }) => role)

/** Dimensions of plain sizes that round between systems, with their unit. */
const BASE_UNITS: ReadonlyMap<string, string> = new Map([
  ['length', 'm'],
  ['area', 'm²'],
  ['volume', 'm³'],
  ['mass', 'kg'],
])

let byRole: ReadonlyMap<string, number> | undefined
function tolerances(): ReadonlyMap<string, number> {
  byRole ??= new Map(vocabularies().flatMap(({ roles }) => roles.map(({ role, tolerance }) => [role, tolerance])))
  return byRole
}

/** The roles in which names can contradict: those of vocabularies with more than one value, and plain sizes. */
export function contradictoryRoles(): readonly string[] {
  const roles = vocabularies().flatMap((vocabulary) => vocabulary.roles)
  const told = roles.filter(
    ({ forms }) => forms.some(({ is }) => is === null) || new Set(forms.map(({ is }) => is)).size > 1,
  )
  return [...new Set([...told.map(({ role }) => role), ...BASE_UNITS.keys()])].sort()
}

/** Whether variants.yaml alone names the role. */
export const isVariant = (role: string): boolean => variants().has(role)
const variants = once(() => {
  const [own, others] = [true, false].map((isOwn) => {
    const chosen = vocabularies().filter(({ trade }) => (trade === 'variants') === isOwn)
    return new Set(chosen.flatMap(({ roles }) => roles.map(({ role }) => role)))
  }) as [Set<string>, Set<string>]
  return own.difference(others)
})

/** Whether the role is a dimension of plain sizes (length, mass, number of pieces), no role of a vocabulary. */
export function isPlainSize(role: string): boolean {
  return BASE_UNITS.has(role) || /^(?:count|time|energy|power|lump sum)/.test(role)
}

// Vocabularies ---------------------------------------------------------------------------------------------------------

/** Reads a role, adds what it finds, and returns the text that is left. */
function readRole(
  text: string,
  { role, lang, found }: { role: ReadRole; lang: string | undefined; found: Attribute[] },
): string {
  let left = text
  for (const form of role.forms) {
    // Most names hold none of the forms, and a search costs a third of a replacement by a function.
    if (form.pattern === null || left.search(form.pattern) === -1) continue
    left = left.replace(form.pattern, (written: string, ...rest: unknown[]) => {
      const groups = (rest.at(-1) ?? {}) as Groups
      const values = valuesOf(form, { groups, lang })
      if (values === null) return written
      const canonical = values.map((value) => role.standsFor.get(value) ?? value)
      found.push({ role: role.role, values: canonical, unit: role.unit, text: written.trim() })
      return role.keeps ? written : ' ; '
    })
  }
  return left
}

type Groups = Readonly<Record<string, string | undefined>>

/** The values of one place in a name; null where the number cannot be told or no table lists it. */
function valuesOf(form: ReadForm, { groups, lang }: { groups: Groups; lang: string | undefined }): string[] | null {
  if (form.is !== null) return [form.is]
  const { codes, code, fa, ia, fb, ib } = groups
  if (codes !== undefined) return codes.split(/ ?[/&-] ?/).map(plainCode)
  if (fa !== undefined) return [inchesOf(fa, ia), inchesOf(fb, ib)]
  const written = [groups.n, groups.m, groups.k].filter((number) => number !== undefined)
  if (form.table !== null) {
    const listed = form.table.get(code ?? written[0] ?? '')
    return listed === undefined ? null : [listed]
  }
  if (code !== undefined) return [plainCode(code)]
  const numbers = written.map((number) => exactNumber(number, { form, lang }))
  return numbers.length > 0 && numbers.every((number) => number !== null) ? numbers : null
}

function exactNumber(written: string, { form, lang }: { form: ReadForm; lang: string | undefined }): string | null {
  const text = form.thousands ? written.replace(/[.,](?=\d{3}(?!\d))/g, '') : written
  const decimal = readNumber(text) ?? (lang === 'en' ? readNumber(text, { decimal: '.' }) : null)
  if (decimal === null) return null
  return toText(form.factor === null ? parseDecimal(decimal) : multiply(parseDecimal(decimal), form.factor))
}

/** Feet and inches in millimetres. */
function inchesOf(feet = '0', inches = '0'): string {
  return toText(multiply(rational(BigInt(feet) * 12n + BigInt(inches)), INCH_MM))
}
const INCH_MM: Rational = parseDecimal('25.4')

const ROMAN: Readonly<Record<string, string>> = Object.fromEntries(
  'i ii iii iv v vi vii viii ix x xi xii'.split(' ').map((numeral, at) => [numeral, String(at + 1)]),
)

/** One spelling of a code: no blanks, Roman numerals and leading zeros as plain numbers. */
export function plainCode(written: string): string {
  const code = written.replace(/[ .]/g, '').replace(/^0+(?=\d)/, '')
  const [, roman, tail = ''] = /^([ivx]{1,4})(l?)$/.exec(code) ?? []
  const number = roman === undefined ? undefined : ROMAN[roman]
  return number === undefined ? code : `${number}${tail}`
}

type WordValue = Readonly<{ vocabulary: Vocabulary; role: string; value: string }>
let byWord: ReadonlyMap<string, readonly WordValue[]> | undefined

/** Word → the values it has, by vocabulary. */
function valuesByWord(): ReadonlyMap<string, readonly WordValue[]> {
  if (byWord) return byWord
  const listed = vocabularies().flatMap((vocabulary) =>
    vocabulary.roles.flatMap(({ role, forms }) =>
      forms.flatMap(({ words, is }) => words.map((word) => ({ word, vocabulary, role, value: is as string }))),
    ),
  )
  byWord = Map.groupBy(listed, ({ word }) => word)
  return byWord
}

function* wordAttributes(text: string, applying: readonly Vocabulary[]): Generator<Attribute> {
  const listed = valuesByWord()
  for (const chunk of chunksOf(text)) {
    for (const { vocabulary, role, value } of listed.get(chunk) ?? []) {
      if (applying.includes(vocabulary)) yield { role, values: [value], unit: null, text: chunk }
    }
  }
}

// Plain sizes ----------------------------------------------------------------------------------------------------------

/** Sizes with their units; "60 cm x 60 cm" is one of two values, as "60x60 cm" is. */
function sizeAttributes(text: string, lang: string | undefined): Attribute[] {
  const sizes: Attribute[] = []
  const chunks = chunksOf(text)
  let isFactor = false
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at] as string
    const size = readSize(chunk, chunks[at + 1], lang)
    if (size === null) {
      isFactor = isFactor && chunk === 'x'
      if (chunk === 'x' && sizes.length > 0 && chunks[at - 1] !== undefined) isFactor = true
      continue
    }
    const { kind, numbers, takesNext } = size
    const written = takesNext ? `${chunk} ${chunks[at + 1]}` : chunk
    if (takesNext) at += 1
    const last = sizes.at(-1)
    if (kind !== 'number') {
      if (isFactor && last?.role === kind) {
        sizes[sizes.length - 1] = { ...last, values: [...last.values, ...numbers], text: `${last.text} x ${written}` }
      } else sizes.push({ role: kind, values: numbers, unit: BASE_UNITS.get(kind) ?? null, text: written })
    }
    isFactor = false
  }
  return sizes
}
