import { replay, retireBuilds } from '@catalog/projector/replay/replay.ts'
import { replayDepsOf } from './path.ts'
import { asBefore, longestStallMs, type Place, readWhile, type Tally } from './readers.ts'
import type { ReplayServer } from './server.ts'

export type Flipped = Readonly<{
  tally: Tally
  /** For each replay: the duration of its flip, and the longest answer under way from its last stage to its end. */
  flips: readonly { readonly flipMs: number; readonly stallMs: number }[]
  /** Compares an answer with the one before the first replay; see {@link asBefore}. */
  judge: Awaited<ReturnType<typeof asBefore>>
}>

/** Runs replays one after the other, retiring each, while readers ask for everything. */
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
