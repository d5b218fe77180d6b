import { type Behaviour, type JudgedBehaviour, judgeBehaviours } from './behaviour.ts'
import { BODY } from './body.ts'
import { CONNECTION } from './connection.ts'
import { HOSTILE } from './hostile.ts'
import { HTTP } from './http.ts'
import { PAGES } from './pages.ts'
import { ROBOTS } from './robots.ts'
import { SITEMAP } from './sitemap.ts'

/** All behaviours of shops that the crawler is judged by, in the order of their groups. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...HTTP,
  ...PAGES,
  ...CONNECTION,
  ...BODY,
  ...ROBOTS,
  ...SITEMAP,
  ...HOSTILE,
]

/** Judges every behaviour with the crawler as it is. */
export async function judgeCrawlBehaviours(
  report: (judged: JudgedBehaviour) => void,
): Promise<readonly JudgedBehaviour[]> {
  return await judgeBehaviours(BEHAVIOURS, report)
}

/** Whether the crawler did as expected everywhere, but for the exemptions. */
export const passes = (judged: readonly JudgedBehaviour[]) => judged.every(({ outcome }) => outcome !== 'not ok')

/** One line of a judged behaviour. */
export function lineOf({ outcome, group, behaviour, expected, found, reason }: JudgedBehaviour): string {
  const why = reason === null ? '' : `: ${reason}`
  return `${outcome.padEnd(6)}  ${group}: ${behaviour}; expected '${expected}', found '${found}'${why}`
}

/** The number of behaviours by outcome, in one line. */
export function totalsOf(judged: readonly JudgedBehaviour[]): string {
  const count = (outcome: JudgedBehaviour['outcome']) => judged.filter((one) => one.outcome === outcome).length
  return `${judged.length} behaviours: ${count('ok')} ok, ${count('not ok')} not ok, ${count('exempt')} exempt`
}
