import { setTimeout as delay } from 'node:timers/promises'
import { type Build, readBuilding } from '@catalog/store/builds/builds.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Pace } from './fold.ts'

export class ReplayPaused extends Error {
  override name = 'ReplayPaused'
}

/** Bounds the rate, and checks for requests to pause, to slow down or to abort. */
type ReplayPace = Pace &
  Readonly<{
    /** Throws ReplayPaused when a person asked for a pause or an abort. */
    checkRequests: () => Promise<void>
    records: () => number
  }>

const CHECK_MS = 1_000

export function openPace(
  store: Store,
  build: Build,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number, total: number | null) => void },
): ReplayPace {
  let { rateMax } = build
  let [done, total] = [0, 0]
  let [checkedMs, pacedMs, paced] = [performance.now(), performance.now(), 0]
  async function checkRequests(): Promise<void> {
    checkedMs = performance.now()
    const now = await readBuilding(store)
    if (now === undefined || now.build !== build.build) throw new ReplayPaused(`build ${build.build} was aborted`)
    if (now.paused) throw new ReplayPaused(`build ${build.build} is paused: catalog replay goes on with it`)
    if (now.rateMax !== rateMax) [rateMax, pacedMs, paced] = [now.rateMax, performance.now(), 0]
  }
  return {
    expect(records) {
      total = done + records
      onProgress(done, total)
    },
    records: () => done,
    checkRequests,
    async after(records) {
      done += records
      paced += records
      onProgress(done, total)
      signal.throwIfAborted()
      if (performance.now() - checkedMs >= CHECK_MS) await checkRequests()
      // Wait in steps, each of which checks for a new rate.
      for (;;) {
        const waitMs = rateMax === null ? 0 : pacedMs + (paced * 1000) / rateMax - performance.now()
        if (waitMs <= 0) return
        await delay(Math.min(waitMs, CHECK_MS), undefined, { signal })
        await checkRequests()
      }
    },
  }
}
