import type { Batch, LoadGenerator } from './load-generator.ts'
import { type Brevity, interleaved, runsPerTask } from './report.ts'

/** The requests of one measurement. */
export type RequestPlan = Readonly<{
  take: (count: number) => Batch
  /** Requests available to all rounds together. */
  countMax: number
}>

export const repeated = ({ path, ...to }: Omit<Batch, 'paths' | 'count'> & { path: string }): RequestPlan => ({
  take: (count) => ({ ...to, paths: [path], count }),
  countMax: Number.POSITIVE_INFINITY,
})

/** Requests each path once in all rounds together. */
export function unrepeated({ origin, paths }: Pick<Batch, 'origin' | 'paths'>): RequestPlan {
  let taken = 0
  return {
    take(count) {
      taken += count
      if (taken > paths.length) throw new Error(`expected at most ${paths.length} requests, found ${taken}`)
      return { origin, paths: paths.slice(taken - count, taken), count }
    },
    countMax: paths.length,
  }
}

/** Hundreds of requests even of the slowest server, and a few minutes for the whole bench. */
const ROUND_MS = 2_000
const BRIEF_ROUND_MS = 20
/** Trial batches grow until one lasts long enough to tell how many requests fill a round. */
const TRIAL_REQUESTS = 200
const TRIAL_GROWTH = 5
const TRIAL_MS_MIN = 100
const BRIEF_TRIAL_MS_MIN = 1

/** Milliseconds that each server takes for a thousand requests. */
export async function perThousand<Name extends string>(
  load: LoadGenerator,
  plans: Readonly<Record<Name, RequestPlan>>,
  { isBrief }: Brevity,
): Promise<Record<Name, number>> {
  const [roundMs, trialMsMin] = isBrief ? [BRIEF_ROUND_MS, BRIEF_TRIAL_MS_MIN] : [ROUND_MS, TRIAL_MS_MIN]
  const names = Object.keys(plans) as Name[]
  const counts = new Map<Name, number>()
  const send = (name: Name, count: number) => load.send(plans[name].take(count))
  for (const name of names) {
    let left = plans[name].countMax
    for (let count = TRIAL_REQUESTS; ; count *= TRIAL_GROWTH) {
      const begun = performance.now()
      await send(name, count)
      const tookMs = performance.now() - begun
      left -= count
      counts.set(name, Math.max(1, Math.floor(Math.min((count * roundMs) / tookMs, left / runsPerTask({ isBrief })))))
      if (tookMs >= trialMsMin) break
    }
  }
  const countOf = (name: Name) => counts.get(name) as number
  const tasks = names.map((name) => [name, () => send(name, countOf(name))])
  const ms = await interleaved(Object.fromEntries(tasks) as Record<Name, () => Promise<void>>, { isBrief })
  return Object.fromEntries(names.map((name) => [name, (ms[name] / countOf(name)) * 1000])) as Record<Name, number>
}
