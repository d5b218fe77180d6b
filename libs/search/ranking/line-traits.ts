import { type AttributesByRole, agree, valuesOf, valueTexts } from '@catalog/core/attributes/attribute-differences.ts'
import { isPlainSize, unstatedValues } from '@catalog/core/attributes/attributes-of.ts'
import { readDataFile } from '@catalog/core/data-file.ts'
import type { KindReading } from '@catalog/core/kinds/kind-of.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import { tokensOf } from '@catalog/search/query/text.ts'
import { z } from 'zod'
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
 * installation. Of two labourers, whether one alone names a trade.
 */
export function isOtherWork(one: Doing, other: Doing): boolean {
  const isWork = ({ kind, attributes }: Doing) => kind.kind === 'work' || attributes.has('method')
  const isInstalled = ({ kind }: Doing) => kind.action === 'install'
  // A helper may be of any trade, and costs otherwise in each.
  const isOfTrade = ({ kind }: Doing) => kind.trades.length > 0
  const areLabour = [one, other].every(({ kind }) => kind.kind === 'labour')
  if (areLabour && isOfTrade(one) !== isOfTrade(other)) return true
  return isWork(one) !== isWork(other) || isInstalled(one) !== isInstalled(other)
}

type Doing = Readonly<{ kind: KindReading; attributes: AttributesByRole }>

/** Whether the line states a grade or a maker's type that the item leaves open: "C28/35 readymix" may not be foamed concrete. */
export function lacksGrade(wanted: AttributesByRole, told: AttributesByRole): boolean {
  return [...wanted].some(
    ([role, attributes]) =>
      (GRADE.test(role) || MAKERS_TYPE.test(`${role} ${valueTexts(attributes)}`)) &&
      !told.has(role) &&
      !isUnstated(role, attributes),
  )
}
const GRADE = /(?:strength|yield|grade|class)$/
const MAKERS_TYPE = /^type \p{L}{2,} .*\d{2}/u

/** Whether both state a grade that the line leaves open, and another one: CEM I and CEM II of a line that says "cement". */
export function isOtherGrade(wanted: AttributesByRole, one: AttributesByRole, other: AttributesByRole): boolean {
  return [...one].some(([role, values]) => {
    const others = GRADE.test(role) && !wanted.has(role) ? other.get(role) : undefined
    return others !== undefined && !agree(role, valuesOf(values), valuesOf(others))
  })
}

const EXCLUDING = z
  .array(
    z.strictObject({ of: z.string(), kinds: z.record(z.string(), z.array(z.string())), silent: z.string().optional() }),
  )
  .parse(readDataFile(import.meta.url, 'excluding-kinds.yaml'))

/** What a text says beside sizes and attributes: of each word yes, or no ("não aparelhada"), and kinds of the table by their thing. */
export function saidIn(text: string): ReadonlyMap<string, string> {
  const [tokens, concepts] = [tokensOf(text), conceptsOf(text)]
  const said = new Map<string, string>()
  const say = (about: string, value: string) => said.set(about, (said.get(about) ?? value) === value ? value : BOTH)
  for (const [at, token] of tokens.entries())
    if (/^\p{L}{5,}$/u.test(token)) say(token.slice(0, STEM_LETTERS), NO.test(tokens[at - 1] ?? '') ? 'no' : 'yes')
  for (const { of, kinds, silent } of EXCLUDING.filter((row) => concepts.has(row.of))) {
    for (const [kind, words] of Object.entries(kinds)) if (tokens.some((token) => words.includes(token))) say(of, kind)
    if (silent !== undefined && !said.has(of)) say(of, silent)
  }
  return said
}
const BOTH = 'both'
const NO = /^(?:nao|no|non|not|nicht|sem|sin|senza|sans|ohne|without)$/u
/** Enough of a word, whatever its gender and number. */
const STEM_LETTERS = 7

/** Whether both cannot be true: hydrated lime and hydraulic lime, planed and not planed boards. */
export function isContradicted(line: ReturnType<typeof saidIn>, item: ReturnType<typeof saidIn>): boolean {
  return [...line].some(([about, value]) => ![value, BOTH].includes(item.get(about) ?? value) && value !== BOTH)
}
