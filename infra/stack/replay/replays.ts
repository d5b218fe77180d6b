import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { replay } from '@catalog/projector/replay/replay.ts'
import { shuffled } from '@catalog/sample-files/seeded-random.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { dropBuild, readBuilds } from '@catalog/store/builds/builds.ts'
import type { Store } from '@catalog/store/db.ts'
import { Died, dyingAfterCalls, replayDepsOf } from './path.ts'

/**
 * Replays of one history: appended in another order to a log with other partitions, folded in other batches, by
 * processes that die anywhere.
 *
 * Law: one pair of roots, and no number of a feed is reused.
 */
export const PARTITIONS = [1, 3, 6, 12]

/** All records of a log by topic, and the result of folding them. */
export type LogContents = Readonly<{
  records: ReadonlyMap<Topic, readonly { readonly key: string; readonly value: string }[]>
  roots: Roots
}>
type Roots = Awaited<ReturnType<Path['roots']>>

export async function logContents(path: Path): Promise<LogContents> {
  const records = new Map<Topic, { key: string; value: string }[]>()
  for (const topic of Object.values(TOPICS)) {
    const own: { key: string; value: string }[] = []
    for (const { partition, next } of await path.log.partitions(topic)) {
      while (BigInt(own.length) < next) {
        const read = await path.log.read(topic, partition, BigInt(own.length), Number(next))
        own.push(...read.map(({ key, value }) => ({ key, value })))
      }
    }
    records.set(topic, own)
  }
  return { records, roots: await path.roots() }
}

export type Replayed = Readonly<{
  replays: number
  deaths: number
  roots: readonly Roots[]
  /** Differences between the served build and its former state at any observed moment; none expected. */
  shown: readonly string[]
}>

/**
 * Appends everything to an empty store in another order and replays it `replays` times, each killed at up to DEATHS_MAX
 * random moments. Disposes the store.
 */
export async function replayedAgain({
  store,
  contents,
  partitions,
  replays,
  random,
  say,
}: {
  store: Store
  contents: LogContents
  partitions: number
  replays: number
  random: () => number
  /** Receives a line per replay. */
  say: (line: string) => void
}): Promise<Replayed> {
  const log = await openTableLog(store, { observationPartitions: partitions })
  const draw = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  await using path = await openPath({ parts: { store, log }, batchRecords: draw([7, 1000]) })
  for (const [topic, records] of contents.records) {
    await log.append(topic, topic === TOPICS.observations ? inAnotherOrder(records, random) : records)
  }
  await path.project()
  const expected = JSON.stringify([await path.roots(), await path.seq()])
  const found = new Map([[JSON.stringify(await path.roots()), await path.roots()]])
  const shown: string[] = []
  const look = async (when: string) => {
    const now = [await path.roots(), await path.seq()] as const
    found.set(JSON.stringify(now[0]), now[0])
    if (JSON.stringify(now) !== expected) shown.push(`${when}: expected ${expected}, found ${JSON.stringify(now)}`)
  }
  let [deaths, callsOfOne] = [0, 0]
  for (let n = 0; n < replays; n++) {
    // Batches of one record take as long as all others together.
    const batchRecords = n === 0 ? 1 : draw([7, 1000, 1000])
    const killed: number[] = []
    // The first replay counts the calls at which the others may die.
    for (let left = callsOfOne === 0 ? 0 : Math.floor(random() * (DEATHS_MAX + 1)); ; left--) {
      const dyingAfter = left > 0 ? 1 + Math.floor(random() * callsOfOne) : Number.POSITIVE_INFINITY
      const { deps, calls } = dyingAfterCalls(replayDepsOf(path), { dyingAfter })
      try {
        const { roots } = await replay(deps, { batchRecords })
        if (batchRecords !== 1) callsOfOne = Math.max(callsOfOne, calls())
        found.set(JSON.stringify(roots), roots)
        break
      } catch (error) {
        if (!(error instanceof Died)) throw new Error(`after deaths at ${[...killed, dyingAfter]}`, { cause: error })
        killed.push(dyingAfter)
        deaths++
        await look(`after a death at call ${dyingAfter}`)
      }
    }
    await look('after the flip')
    for (const { build, state } of await readBuilds(store)) if (state === 'former') await dropBuild(store, build)
    say(`${partitions} partitions, batches of ${batchRecords}, died at calls ${killed.join(', ') || 'none'}`)
  }
  return { replays, deaths, roots: [...found.values()], shown }
}
const DEATHS_MAX = 1

type Records = readonly { readonly key: string; readonly value: string }[]

/** Any order that keeps the records of each key in theirs, which is all that a log promises. */
function inAnotherOrder(records: Records, random: () => number): Records {
  const ofKey = Map.groupBy(records, ({ key }) => key)
  return shuffled(
    records.map(({ key }) => key),
    random,
  ).map((key) => ofKey.get(key)?.shift() as Records[number])
}
