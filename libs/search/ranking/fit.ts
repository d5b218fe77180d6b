import {
  type AttributesByRole,
  agree,
  numberOf,
  valuesOf,
  valueTexts,
} from '@catalog/core/attributes/attribute-differences.ts'
import { type Attribute, isPlainSize, rolesOf, unstatedValues } from '@catalog/core/attributes/attributes-of.ts'
import { kindDifference } from '@catalog/core/kinds/differences.ts'
import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import type { Question } from '@catalog/search/query/question.ts'
import { type Difference, sizeText } from '@catalog/search/query/sizes.ts'
import type { Candidate } from '@catalog/search/search.ts'

/** How an item fits what a question states of the thing beside its words. */
export type Fit = Readonly<{
  /** Roles in which item and question state one value: "concrete strength". */
  agreed: readonly string[]
  /** Roles in which both cannot be true, "kind", "grade" and "trade" among them, with both values. */
  differences: readonly Difference[]
}>

/** Compares a question with what all names of an item together state. A role that the item leaves open is in neither list. */
export function fitOf(
  {
    attributes,
    kind,
    asLabour,
    unit: wantedUnit,
    pack,
  }: Pick<Question, 'attributes' | 'kind' | 'asLabour' | 'unit' | 'pack'>,
  { name, otherNames = [], unit = null }: Pick<Candidate, 'name' | 'otherNames' | 'unit'>,
): Fit {
  const agreed: string[] = []
  const differences: Difference[] = []
  const asked = [...attributes].filter(([role, wanted]) => !isPlainSize(role) && !isUnstated(role, wanted))
  // Reading attributes costs most of a comparison, and most questions state none.
  const told = asked.length === 0 ? [] : [name, ...otherNames].map((one) => attributesOf(one))
  for (const [role, wanted] of asked) {
    const values = told.flatMap((stated) => stated.get(role) ?? [])
    if (values.length === 0) continue
    const stated = new Set(values.flatMap((attribute) => attribute.values))
    const isAgreed =
      agree(role, valuesOf(wanted), stated) || areNominallyEqual(wanted, stated) || isThreadOf(role, wanted, stated)
    if (isAgreed) agreed.push(role)
    else differences.push({ about: role, asked: textOf(wanted), stocked: textOf(values) })
  }
  if (kind.kind !== null || asLabour.trades.length > 0 || asLabour.operator !== null) {
    const sold = kindOf({ name, unit })
    // "Mini excavator no operator" asks for hire, whether or not it says by which time.
    const isHire = asLabour.kind !== 'labour' && asLabour.operator !== null && sold.machine !== null
    const wantedKind = kind.kind === null && (sold.kind === 'labour' || isHire) ? asLabour : kind
    const apart = wantedKind.kind !== null ? kindDifference(wantedKind, sold) : null
    if (apart) differences.push({ about: apart.about, asked: apart.one, stocked: apart.other })
    else if (kind.kind !== null && sold.kind === kind.kind) agreed.push('kind')
  }
  if (isOtherMeasure({ wanted: wantedUnit, isPacked: pack !== null }, unit)) {
    differences.push({ about: 'unit', asked: wantedUnit ?? (pack === null ? '' : sizeText(pack)), stocked: unit ?? '' })
  }
  return { agreed, differences }
}

const textOf = (values: readonly Attribute[]) => valueTexts(values).join(', ')

/** Silence says it too: a question without a word about it leaves it open. */
export function isUnstated(role: string, wanted: readonly Attribute[]): boolean {
  const value = unstatedValues().get(role) ?? 'none'
  return wanted.every(({ values }) => values.every((each) => each === value))
}

/** 12.5 and 13 mm are one board to a builder: lengths of the question that a stated one rounds to. */
function areNominallyEqual(wanted: readonly Attribute[], stated: ReadonlySet<string>): boolean {
  const lengths = wanted
    .filter(({ unit }) => unit === 'mm' || unit === 'm')
    .flatMap(({ values }) => values.map((value) => numberOf(value) ?? Number.NaN))
  const others = [...stated].flatMap((value) => numberOf(value) ?? [])
  return (
    lengths.length > 0 &&
    lengths.every((length) => others.some((other) => Math.abs(length - other) <= NOMINAL * Math.max(length, other)))
  )
}
/** As sizes.ts compares thin lengths. */
const NOMINAL = 0.039

/** "M16 bolt" leaves the length open that "M16x60" states. */
function isThreadOf(role: string, wanted: readonly Attribute[], stated: ReadonlySet<string>): boolean {
  return (
    role === 'type m' &&
    wanted.every(({ values }) => values.every((value) => [...stated].some((other) => other.startsWith(`${value}x`))))
  )
}

/** An hour is no piece, and a bag or 25 kg no square metre. */
function isOtherMeasure(
  { wanted, isPacked }: { wanted: string | null; isPacked: boolean },
  unit: string | null,
): boolean {
  const asked = wanted === null ? null : (parseUnit(wanted)?.dimension ?? null)
  const sold = unit === null ? null : (parseUnit(unit)?.dimension ?? null)
  if (asked === 'time') return sold !== 'time'
  const isLoose = asked === 'mass' || asked === 'volume' || asked?.startsWith('count:') === true
  // A roller of 12 t is hired by the day: a mass may be that of the machine.
  if (sold === 'time') return isLoose
  return (isLoose || isPacked) && (sold === 'area' || sold === 'length')
}

const attributeMemo = openMemo<AttributesByRole>(20_000)

/** What a name of an item states; kept, because reading it takes long. */
export function attributesOf(name: string): AttributesByRole {
  return attributeMemo(name, () => rolesOf({ name }))
}
