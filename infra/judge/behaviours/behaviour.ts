import type { Plant } from './crawl-shop.ts'

/** A behaviour of a shop, and what the crawler has to make of it. */
export type Behaviour = Readonly<{
  group: string
  name: string
  /** The found text that is right. */
  expected: string
  /** Why the crawler may do otherwise; such a behaviour must be found otherwise. */
  exempt?: string
  /** One line: what the crawler made of it. */
  find: (plant: Plant | undefined) => Promise<string>
}>

export type JudgedBehaviour = Readonly<{
  group: string
  behaviour: string
  expected: string
  found: string
  outcome: 'ok' | 'not ok' | 'exempt'
  /** Of an exemption, or why a behaviour is not ok; null where it is ok. */
  reason: string | null
}>

/** Longest found text that is shown: a hostile shop writes a part of it. */
const FOUND_CHARS_MAX = 500

/** Crawls at once, each of a shop of its own. */
const AT_ONCE = 4

/** Judges the behaviours, several at once, and reports them in order. `plant` breaks the crawler, which tests of the judge do. */
export async function judgeBehaviours(
  behaviours: readonly Behaviour[],
  report: (judged: JudgedBehaviour) => void,
  plant?: Plant,
): Promise<readonly JudgedBehaviour[]> {
  const judged: JudgedBehaviour[] = []
  const underWay: Promise<JudgedBehaviour>[] = []
  for (const behaviour of behaviours) {
    underWay.push(judge(behaviour, plant))
    if (underWay.length === AT_ONCE) await settleFirst()
  }
  while (underWay.length > 0) await settleFirst()
  return judged

  async function settleFirst(): Promise<void> {
    const one = (await underWay.shift()) as JudgedBehaviour
    report(one)
    judged.push(one)
  }
}

async function judge(
  { group, name, expected, exempt, find }: Behaviour,
  plant: Plant | undefined,
): Promise<JudgedBehaviour> {
  // A crawler that throws has not done as expected.
  const found = (await find(plant).catch((error: unknown) => `threw ${error}`)).slice(0, FOUND_CHARS_MAX)
  const isAsExpected = found === expected
  const judged = { group, behaviour: name, expected, found }
  if (exempt === undefined) {
    return { ...judged, outcome: isAsExpected ? 'ok' : 'not ok', reason: isAsExpected ? null : 'found otherwise' }
  }
  if (isAsExpected) return { ...judged, outcome: 'not ok', reason: 'found as expected: expected no exemption any more' }
  return { ...judged, outcome: 'exempt', reason: exempt }
}
