import { type AttributesByRole, agree, valuesOf } from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize, unstatedValues } from '@catalog/core/attributes/attributes-of.ts'
import type { KindReading } from '@catalog/core/kinds/kind-of.ts'
import { isUnstated } from './fit.ts'

/**
 * Whether the item has the grades, types, sides and colours of the line, where its name tells them: "CEM II" also fits
 * "CEM II/B-L". Where silence has a meaning, a silent item is not what the line states, and a silent line takes either, but no
 * other shift and no used goods. Sizes are compared as sizes.
 */
export function hasDesignations(wanted: AttributesByRole, told: AttributesByRole): boolean {
  if (MEANT_BY_LINES.some((role) => !wanted.has(role) && !isUnstated(role, told.get(role) ?? []))) return false
  return [...wanted].every(([role, attributes]) => {
    if (isPlainSize(role)) return true
    const others = told.get(role)
    if (others === undefined) return !unstatedValues().has(role) || isUnstated(role, attributes)
    return agree(role, valuesOf(attributes), valuesOf(others))
  })
}

/** Roles in which a silent line means what silence means: the day, and new goods. */
const MEANT_BY_LINES = ['shift', 'condition']

/**
 * Whether one is a work by its verb, words or unit, and the other not, or one alone is installed: a basin is not its
 * installation.
 */
export function isOtherWork(one: Doing, other: Doing): boolean {
  const isWork = ({ kind, attributes }: Doing) => kind.kind === 'work' || attributes.has('method')
  const isInstalled = ({ kind }: Doing) => kind.action === 'install'
  return isWork(one) !== isWork(other) || isInstalled(one) !== isInstalled(other)
}
/** Whether both are labour, and one alone names a trade: a helper may be of any trade, and costs otherwise in each. */
export function isOfUnnamedTrade(one: KindReading, other: KindReading): boolean {
  const areLabour = one.kind === 'labour' && other.kind === 'labour'
  return areLabour && (one.trades.length === 0) !== (other.trades.length === 0)
}

type Doing = Readonly<{ kind: KindReading; attributes: AttributesByRole }>

/** Whether the line states a strength or grade that the item leaves open: "C28/35 readymix" may not be foamed concrete. */
export function lacksGrade(wanted: AttributesByRole, told: AttributesByRole): boolean {
  return [...wanted].some(([role, attributes]) => GRADE.test(role) && !told.has(role) && !isUnstated(role, attributes))
}
const GRADE = /(?:strength|yield|grade|class)$/
