import { setTimeout as delay } from 'node:timers/promises'
import { answerOf, startCatalog } from '@catalog/stack/servers/command.ts'
import { readBuilding, readBuilds } from '@catalog/store/builds/builds.ts'
import type { Store } from '@catalog/store/db.ts'
import { asBefore, type Place, readWhile, type Tally } from './readers.ts'
import type { ReplayServer } from './server.ts'

export type Killed = Readonly<{
  kills: number
  /** The stage of each replay at its kill, as a line. */
  moments: readonly string[]
  flips: number
  tally: Tally
}>

/**
 * Sends kill -9 at random moments of `catalog replay`, beside a server under constant reads, until enough replays were
 * killed. Each killed replay is resumed to its flip; every second one is aborted instead.
 *
 * Law: readers notice nothing, roots and numbers stay, and an aborted or retired build leaves nothing behind.
 */
export async function killReplays({
  server,
  places,
  kills,
  random,
  abortsFirst = false,
  say,
}: {
  server: ReplayServer
  places: readonly Place[]
  kills: number
  random: () => number
  /** Whether the first replay is aborted and the second one resumed. */
  abortsFirst?: boolean
  say: (line: string) => unknown
}): Promise<Killed> {
  const { base, path, options } = server
  const { store } = path
  const shown = async () => JSON.stringify([await path.roots(), await path.seq()])
  const schemas = () => buildSchemas(store)
  const [before, clean] = [await shown(), await schemas()]
  const judge = await asBefore(base, places)
  const moments: string[] = []
  let flips = 0
  // Duration of an undisturbed replay from its build to its flip.
  let takesMs = 0
  const { tally } = await readWhile({ base, places, judge }, async () => {
    for (let n = 0; moments.length < kills; n++) {
      const isUndisturbed = n === 0
      const running = startCatalog(['replay', '--json'], options)
      const build = await built(server, running.finished)
      const begunMs = performance.now()
      if (!isUndisturbed) {
        const afterMs = random() * takesMs
        await delay(afterMs)
        const killed = running.kill('SIGKILL')
        await running.finished
        if (killed) {
          const stood = await readBuilding(store)
          moments.push(`${Math.round(afterMs)} of ${Math.round(takesMs)} ms, ${stood ? 'before' : 'after'} the flip`)
          say(`kill ${moments.length}: ${moments.at(-1)}`)
          expectSame('after a kill', await shown(), before)
          if (stood !== undefined && moments.length % 2 === (abortsFirst ? 1 : 0)) {
            await answerOf(['replay', '--abort'], options)
            expectSame('after --abort', await schemas(), clean)
            continue
          }
          if (stood !== undefined) await answerOf(['replay'], options)
        }
      }
      const { code, stderr } = await running.finished
      if (isUndisturbed && code !== 0) throw new Error(`catalog replay ended with ${code}: ${stderr}`)
      if (isUndisturbed) takesMs = performance.now() - begunMs
      const [served] = (await readBuilds(store)).filter(({ state }) => state === 'served')
      if (served?.build !== build) throw new Error(`expected build ${build} to be served, found ${served?.build}`)
      flips++
      expectSame('after a flip', await shown(), before)
      await answerOf(['replay', '--retire'], options)
      expectSame('after --retire', await schemas(), clean)
    }
  })
  return { kills: moments.length, moments, flips, tally }
}

/** The schemas of builds, as one line. */
async function buildSchemas(store: Store): Promise<string> {
  const like = `select nspname from pg_namespace where starts_with(nspname, $1) order by 1`
  return JSON.stringify(await store.query(like, [`${store.schema}_`]))
}

function expectSame(when: string, found: string, expected: string): void {
  if (found !== expected) throw new Error(`${when}: expected ${expected}, found ${found}`)
}

const BUILD_POLL_MS = 5

/** The number of the build that a command has begun, once it has. */
async function built({ path: { store } }: ReplayServer, finished: Promise<{ stderr: string }>): Promise<number> {
  let ended: string | undefined
  finished.then(
    ({ stderr }) => {
      ended = stderr
    },
    () => {},
  )
  for (;;) {
    const building = await readBuilding(store)
    if (building !== undefined) return building.build
    if (ended !== undefined) throw new Error(`expected a replay to begin a build, it ended: ${ended}`)
    await delay(BUILD_POLL_MS)
  }
}
