import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@catalog/api/http/errors.ts'

/**
 * Long feeds are rendered one at a time and in slices, so that all other requests of the process are answered between two
 * slices. One feed of 1,000 changes takes some 50 to 100 ms.
 */

/** Changes that are rendered before others get a turn: some 5 to 10 ms. A shorter feed does not queue. */
export const SLICE_CHANGES = 100
/** The last of so many waits some 6 s, which readers still wait for. */
const WAITING_MAX = 64
/** By then, at least half of a full queue has been rendered. */
const RETRY_SECONDS = 5

/** A rendering that pauses after each change, and returns the document. */
export type Steps<T> = Generator<void, T>

/** The result without pauses. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The result, with a turn of the event loop after each slice of {@link SLICE_CHANGES} steps. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (let done = 1; ; done++) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (done % SLICE_CHANGES === 0) await setImmediate()
  }
}

export interface RenderQueue {
  /**
   * Runs work on at most `changes` changes: at once where they are one slice, otherwise after all that came before, with a turn
   * of the event loop between. The work must not wait for the store. Throws overloaded while {@link WAITING_MAX} wait.
   */
  run<T>(changes: number, work: () => Promise<T>): Promise<T>
}

export function renderQueue(waitingMax = WAITING_MAX): RenderQueue {
  /** Ends with the last work, whether it succeeds or not. */
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async run(changes, work) {
      if (changes <= SLICE_CHANGES) return await work()
      if (waiting >= waitingMax) {
        const details = `${waiting} long feeds are waiting, expected at most ${waitingMax}`
        throw new ApiError('overloaded', details, { retryAfterSeconds: RETRY_SECONDS })
      }
      waiting++
      const turn = last.then(async () => {
        await setImmediate()
        waiting--
        return await work()
      })
      last = turn.catch(() => {})
      return await turn
    },
  }
}
