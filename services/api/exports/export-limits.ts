import { ApiError } from '@catalog/api/http/errors.ts'

/** Exports at one time in one process: each holds a page and, compressed, some 300 KB. */
const EXPORTS_MAX = 50
/** Exports at one time of one key or address: a slow reader must not keep others out. */
const EXPORTS_PER_CALLER_MAX = 4
const RETRY_SECONDS = 5

/** The exports that are under way. */
export interface OpenExports {
  /** Throws overloaded where the caller, or all together, have too many. Call the result once, when the export ended. */
  enter(caller: string): () => void
}

export function openExports({ max = EXPORTS_MAX, perCaller = EXPORTS_PER_CALLER_MAX } = {}): OpenExports {
  const byCaller = new Map<string, number>()
  let open = 0
  return {
    enter(caller) {
      const own = byCaller.get(caller) ?? 0
      if (own >= perCaller)
        throw overloaded(`${own} exports of this caller are under way, expected at most ${perCaller}`)
      if (open >= max) throw overloaded(`${open} exports are under way, expected at most ${max}`)
      open++
      byCaller.set(caller, own + 1)
      return () => {
        open--
        const left = (byCaller.get(caller) as number) - 1
        if (left === 0) byCaller.delete(caller)
        else byCaller.set(caller, left)
      }
    },
  }
}

const overloaded = (details: string) => new ApiError('overloaded', details, { retryAfterSeconds: RETRY_SECONDS })
