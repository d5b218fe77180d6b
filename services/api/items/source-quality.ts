import type { Queryable } from '@catalog/store/db.ts'
import { QUALITY_FAST, type Quality, readQuality } from '@catalog/store/quality/quality.ts'
import type { SourceRow } from '@catalog/store/vendor/sources.ts'

/** The figures of a source take some hundredths of a second, so each is read at most once a minute. */
const AGE_MAX_MS = 60_000
/** Sources whose figures are kept. */
const KEPT_MAX = 1_000

type Kept = Readonly<{ readAtMs: number; quality: Promise<Quality> }>

/** Reads the quality of sources, one after the other, so that it never takes more than one connection of the pool. */
export function qualityReader({ store, now }: { store: Queryable; now: () => Date }) {
  const kept = new Map<string, Kept>()
  let last: Promise<unknown> = Promise.resolve()
  return (source: SourceRow): Promise<Quality> => {
    const at = now()
    const known = kept.get(source.source_id)
    const ageMs = known === undefined ? AGE_MAX_MS : at.getTime() - known.readAtMs
    // A clock set back makes the age negative: read again.
    if (known !== undefined && ageMs >= 0 && ageMs < AGE_MAX_MS) return known.quality
    const quality = last.then(() => readQuality(store, source, { at, limits: QUALITY_FAST }))
    last = quality.catch(() => kept.delete(source.source_id))
    kept.delete(source.source_id)
    kept.set(source.source_id, { readAtMs: at.getTime(), quality })
    const [oldest] = kept.keys()
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    return quality
  }
}
