import { replay, retireBuilds } from '@catalog/projector/replay/replay.ts'
import { replayDepsOf } from './path.ts'
import { asBefore, longestStallMs, type Place, readWhile, type Tally } from './readers.ts'
import type { ReplayServer } from './server.ts'

export type Flipped = Readonly<{
  tally: Tally
  /** Of each replay: how long its flip took, and the longest answer that was under way from its last stage to its end. */
  flips: readonly { readonly flipMs: number; readonly stallMs: number }[]
  /** Says whether an answer is what it was before the first replay; see {@link asBefore}. */
  judge: Awaited<ReturnType<typeof asBefore>>
}>

/** So many replays one after the other, each retired, while readers ask for everything all the time. */
export async function readThroughReplays({
  server: { base, path },
  places,
  replays,
  say = () => {},
}: {
  server: ReplayServer
  places: readonly Place[]
  replays: number
  say?: (line: string) => unknown
}): Promise<Flipped> {
  const judge = await asBefore(base, places)
  const ends: { flipMs: number; fromMs: number; toMs: number }[] = []
  const { tally } = await readWhile({ base, places, judge }, async () => {
    for (let n = 1; n <= replays; n++) {
      let fromMs = Number.POSITIVE_INFINITY
      const deps = replayDepsOf(path, {
        onProgress({ stage }) {
          if (stage === 'flip') fromMs = Math.min(fromMs, performance.now())
        },
      })
      const { flipMs } = await replay(deps)
      ends.push({ flipMs, fromMs, toMs: performance.now() })
      await retireBuilds(deps)
      say(`${n} flips, the last in ${Math.round(flipMs)} ms`)
    }
  })
  const flips = ends.map((end) => ({ flipMs: end.flipMs, stallMs: longestStallMs(tally, end) }))
  return { tally, flips, judge }
}
