import type { Grade, KindReading } from './kind-of.ts'

/** The subjects in which kinds can differ. */
export const KIND_SUBJECTS = ['kind', 'grade', 'trade', 'action', 'operator', 'machine'] as const

/** Two statements of kind that cannot both be true of one product: about which subject, and the value of each side. */
export type KindDifference = Readonly<{
  about: (typeof KIND_SUBJECTS)[number]
  one: string
  other: string
}>

/**
 * What the kinds of two SKUs contradict each other in; null when nothing does. Symmetric but for the sides.
 * - Kinds that both sides state differ, or one side alone is rental of a thing that is not priced by time. Machinery and hire differ only in the operator, which seldom is stated.
 * - Grades of labour differ. A missing grade means a skilled person, so it differs from every grade but first and officer.
 * - Both sides name trades, and none is shared.
 * - Actions of works differ, or one side alone removes, repairs or changes what the other provides.
 * - One machine comes with an operator, the other without, or one is a backhoe and the other a skid steer loader.
 */
export function kindDifference(a: KindReading, b: KindReading): KindDifference | null {
  if (a.kind !== null && b.kind !== null && familyOf(a.kind) !== familyOf(b.kind)) {
    return { about: 'kind', one: a.kind, other: b.kind }
  }
  if (isOnlyRented(a, b) || isOnlyRented(b, a)) return { about: 'kind', one: a.kind ?? NONE, other: b.kind ?? NONE }
  if (a.kind === 'labour' && b.kind === 'labour') {
    if (areGradesApart(a.grade, b.grade)) return { about: 'grade', one: a.grade ?? NONE, other: b.grade ?? NONE }
    if (a.trades.length > 0 && b.trades.length > 0 && !a.trades.some((trade) => b.trades.includes(trade))) {
      return { about: 'trade', one: a.trades.join(', '), other: b.trades.join(', ') }
    }
  }
  if (areActionsApart(a.action, b.action)) return { about: 'action', one: a.action ?? NONE, other: b.action ?? NONE }
  const [one, other] = [operatorOf(a), operatorOf(b)]
  if (one && other && one !== other) return { about: 'operator', one, other }
  return areMachinesApart(a.machine, b.machine)
    ? { about: 'machine', one: a.machine ?? NONE, other: b.machine ?? NONE }
    : null
}
const NONE = 'none'

/** Machinery without a stated driver may be hired or not: one list says so, the next does not. */
const familyOf = (kind: string) => (kind === 'hire' ? 'machinery' : kind)

/** Rental of a thing by the piece or measure, beside that thing without a word of rental. */
function isOnlyRented(one: KindReading, other: KindReading): boolean {
  return one.kind === 'hire' && other.kind === null && !one.isByTime && !other.isByTime
}

/** Who rents a machine runs it, unless the text says otherwise. */
const operatorOf = ({ kind, operator }: KindReading) => operator ?? (kind === 'hire' ? 'without' : null)

/** Lists call other machines by each other's names; on these two they agree. */
function areMachinesApart(one: string | null, other: string | null): boolean {
  return one !== other && LOADERS.has(one ?? '') && LOADERS.has(other ?? '')
}
const LOADERS: ReadonlySet<string> = new Set(['backhoe loader', 'skid steer loader'])

function areGradesApart(one: Grade | null, other: Grade | null): boolean {
  if (one === other) return false
  if (one === null || other === null) return !MEANT_BY_NONE.has((one ?? other) as Grade)
  if (one === 'officer' || other === 'officer') return !OFFICERS.has(one) || !OFFICERS.has(other)
  return true
}
const MEANT_BY_NONE: ReadonlySet<Grade> = new Set(['first', 'officer'])
const OFFICERS: ReadonlySet<Grade> = new Set(['first', 'second', 'officer'])

function areActionsApart(one: string | null, other: string | null): boolean {
  if (one === other) return false
  if (one === null || other === null) return !UNSAID_ACTIONS.has((one ?? other) as string)
  return true
}
/** A name may leave these to the reader; any other action is another work. */
const UNSAID_ACTIONS: ReadonlySet<string> = new Set(['supply', 'install', 'supply and install', 'excavate', 'fill'])
