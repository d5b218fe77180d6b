import { type AttributesByRole, agree, numberOf, valuesOf } from '@catalog/core/attributes/attribute-differences.ts'
import { type Attribute, isPlainSize, unstatedValues } from '@catalog/core/attributes/attributes-of.ts'
import { kindDifference } from '@catalog/core/kinds/differences.ts'
import { type KindReading, kindOf } from '@catalog/core/kinds/kind-of.ts'
import { attributesByRole, type MatchSku } from '@catalog/core/matching/match.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import type { Question } from '@catalog/search/query/question.ts'
import type { Candidate } from '@catalog/search/search.ts'

/** How an item fits what a question states of the thing beside its words. */
export type Fit = Readonly<{
  /** Roles in which item and question state one value: "concrete strength". */
  agreed: readonly string[]
  /** Roles in which both cannot be true, "kind", "grade" and "trade" among them. */
  contradicted: readonly string[]
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
  const told = [name, ...otherNames].map((one) => statedBy(one, unit))
  const agreed: string[] = []
  const contradicted: string[] = []
  for (const [role, wanted] of attributes) {
    if (isPlainSize(role) || isUnstated(role, wanted)) continue
    const values = told.flatMap((stated) => stated.attributes.get(role) ?? [])
    if (values.length === 0) continue
    const stated = new Set(values.flatMap((attribute) => attribute.values))
    const isAgreed = agree(role, valuesOf(wanted), stated) || areNominallyEqual(wanted, stated)
    ;(isAgreed ? agreed : contradicted).push(role)
  }
  const [first] = told
  const wantedKind = kind.kind === null && asLabour.trades.length > 0 && first?.kind.kind === 'labour' ? asLabour : kind
  const apart = first && wantedKind.kind !== null ? kindDifference(wantedKind, first.kind) : null
  if (apart) contradicted.push(apart.about)
  else if (kind.kind !== null && first?.kind.kind === kind.kind) agreed.push('kind')
  if (isOtherMeasure({ wanted: wantedUnit, isPacked: pack !== null }, unit)) contradicted.push('unit')
  return { agreed, contradicted }
}

/** Silence says it too: a question without a word about it leaves it open. */
function isUnstated(role: string, wanted: readonly Attribute[]): boolean {
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

/** An hour is no piece, and a bag or 25 kg no square metre. */
function isOtherMeasure(
  { wanted, isPacked }: { wanted: string | null; isPacked: boolean },
  unit: string | null,
): boolean {
  const asked = wanted === null ? null : (parseUnit(wanted)?.dimension ?? null)
  const sold = unit === null ? null : (parseUnit(unit)?.dimension ?? null)
  if (asked === 'time') return sold !== 'time'
  const isLoose = isPacked || asked === 'mass' || asked === 'volume' || asked?.startsWith('count:')
  return isLoose === true && (sold === 'area' || sold === 'length' || sold === 'time')
}

type Stated = Readonly<{ attributes: AttributesByRole; kind: KindReading }>
const stated = openMemo<Stated>(20_000)

function statedBy(name: string, unit: string | null): Stated {
  return stated(`${unit}\n${name}`, () => {
    const sku: MatchSku = { vendorSkuId: '', sourceId: '', name, unit }
    return { attributes: attributesByRole(sku), kind: kindOf(sku) }
  })
}
