import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import { validityDaysOf } from '@catalog/core/events/sources.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import type { Baseline } from '@catalog/crawler/discover/gather.ts'
import { nextDue } from '@catalog/crawler/sources/schedule.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { PastCrawls } from './past-crawls.ts'

/** The baseline of a source decides what a crawl may leave out because it has not changed. */

/** In the folder of a source: the digest of the spec that its last recorded crawl had. */
const BASELINE_FILE = 'recorded-as'
/** After this the crawler fetches in full, even while the server answers that nothing changed. */
const FULL_FETCH_MS = 7 * DAY_MS
/** At half the validity one failed fetch leaves time for another before prices expire. */
const FULL_FETCH_VALIDITY_SHARE = 0.5

/** No baseline: fetch everything without conditions. */
export const FULL_FETCH: Baseline = { isFull: true, startedAt: new Date(0), etag: null, lastModified: null }

/**
 * The baseline that past crawls allow. A crawl without `started_at` was given inputs by hand and did not see the source, so a
 * full fetch follows it.
 */
export async function baselineOf(
  spec: SourceSpec,
  { folder, past: { whole, fetched }, now, isFull }: { folder: string; past: PastCrawls; now: Date; isFull: boolean },
): Promise<Baseline> {
  const recorded = await readFile(join(folder, BASELINE_FILE), 'utf8').catch(() => null)
  if (isFull || recorded !== specDigest(spec) || whole?.started_at == null || fetched?.started_at == null) {
    return FULL_FETCH
  }
  const [wholeSince, fetchedSince] = [new Date(whole.started_at), new Date(fetched.started_at)]
  // A wrong clock set a date in the future. Until then nothing would count as changed.
  if (wholeSince > now || fetchedSince > now) return FULL_FETCH
  if (isFullDue(spec, { startedAt: wholeSince, now })) return FULL_FETCH
  // The last whole crawl may miss some pages, but all others are at most as old as that crawl.
  const startedAt = new Date(Math.max(fetchedSince.getTime(), wholeSince.getTime()))
  return { isFull: false, startedAt, etag: fetched.etag, lastModified: fetched.last_modified }
}

/** Makes a recorded crawl of this spec a baseline for the next one. */
export async function saveBaseline(folder: string, spec: SourceSpec): Promise<void> {
  await writeFile(join(folder, BASELINE_FILE), specDigest(spec))
}

/** Forgets the baseline of a source, so that the next crawl is a full fetch. */
export async function forgetBaseline(folder: string): Promise<void> {
  await rm(join(folder, BASELINE_FILE), { force: true })
}

/** Forgets the baseline of another spec before a crawl of this one is recorded. */
export async function forgetOtherBaseline(folder: string, spec: SourceSpec): Promise<void> {
  const recorded = await readFile(join(folder, BASELINE_FILE), 'utf8').catch(() => null)
  if (recorded !== specDigest(spec)) await forgetBaseline(folder)
}

/** Digest of the fields of a spec that change what a crawl of the same bytes records. */
function specDigest({
  trust,
  validity,
  validityDays,
  schedule,
  enabled,
  health,
  quality,
  licence,
  line,
  ...spec
}: SourceSpec): string {
  return sha256Hex(JSON.stringify(spec))
}

/** Whether the last whole crawl will be too old at the next instant of the schedule. */
function isFullDue(spec: SourceSpec, { startedAt, now }: { startedAt: Date; now: Date }): boolean {
  const validityMs = (spec.validityDays ?? validityDaysOf(spec.kind, spec.validity !== undefined)) * DAY_MS
  const ageMaxMs = Math.min(FULL_FETCH_MS, validityMs * FULL_FETCH_VALIDITY_SHARE)
  const next = spec.schedule === null ? now : nextDue(spec.schedule, now)
  return next.getTime() > startedAt.getTime() + ageMaxMs
}
