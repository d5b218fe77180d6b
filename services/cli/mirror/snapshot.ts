import { join, resolve } from 'node:path'
import type { Context } from '@catalog/cli/shared/context.ts'
import { runNightly } from '@catalog/cli/shared/nightly.ts'
import { openStageBar } from '@catalog/cli/shared/terminal.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { licenceOf, snapshotDirOf } from '@catalog/runtime/env.ts'
import { beginWithSnapshot, NothingToSnapshot, type SnapshotReport, takeSnapshot } from '@catalog/snapshot/snapshot.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { nextGeneration } from '@catalog/store/catalog/generation.ts'
import { type Trimmed, trimChanges } from '@catalog/store/catalog/retention.ts'
import { freezeEditions } from '@catalog/store/history/editions.ts'

type SnapshotFlags = Readonly<{ out?: string; keep?: number }>

/**
 * Takes a snapshot at the newest mark, then trims changes beyond the retention that it covers. Into a folder that the
 * API does not serve it writes a copy and trims nothing.
 */
export async function takeAndTrim(
  { catalog, env, signal }: Pick<Context, 'catalog' | 'env' | 'signal'>,
  { out, keep }: SnapshotFlags,
  onProgress: (progress: { done: number; total: number }) => void = () => {},
): Promise<SnapshotReport & { readonly folder: string; readonly trimmed: Trimmed }> {
  const { store, now } = catalog
  const folder = out === undefined ? snapshotDirOf(env) : resolve(out)
  const isCopy = folder !== snapshotDirOf(env)
  const report = await takeSnapshot({
    store,
    folder,
    isCopy,
    now,
    signal,
    onProgress,
    licence: licenceOf(env),
    ...(keep === undefined ? {} : { keep }),
  })
  if (isCopy) return { ...report, folder, trimmed: { numbers: 0, changes: 0 } }
  // Before retention drops changes that an edition shows.
  await freezeEditions(store, { licence: licenceOf(env), signal })
  const before = new Date(now().getTime() - env.FEED_RETENTION_DAYS * DAY_MS)
  return { ...report, folder, trimmed: await trimChanges(store, { before, snapshotSeq: report.snapshot.seq, signal }) }
}

/** `catalog snapshot`: writes bulk files of the whole catalog at the end of the last run. */
export async function snapshot(context: Context, flags: SnapshotFlags): Promise<void> {
  const { catalog, env, terminal } = context
  // In distributed mode the projectors' newest mark counts.
  if (catalog.mode !== 'distributed') await catalog.catchUp()
  const progress = terminal.progress('items written')
  const report = await takeAndTrim(context, flags, ({ done, total }) => progress.to(done, total)).finally(progress.done)
  const { gen, seq, createdAt, count, bytes, manifestSha, edition } = report.snapshot
  const folder = join(report.folder, gen, String(seq))
  const value = {
    taken: report.isNew,
    folder,
    gen,
    seq: Number(seq),
    created_at: createdAt,
    edition,
    count,
    bytes,
    manifest_sha256: manifestSha,
    removed: report.removed,
    trimmed: report.trimmed,
  }
  terminal.answer(value, () =>
    [
      report.isNew
        ? `snapshot of ${count} items at seq ${seq}, ${bytes} bytes packed${edition === null ? '' : `, edition ${edition}`}`
        : `seq ${seq} has a snapshot since ${createdAt}: no run has published anything since, so nothing was written`,
      `  ${folder}`,
      ...(report.removed.length === 0 ? [] : [`removed ${report.removed.join(', ')}`]),
      ...(report.trimmed.numbers === 0
        ? []
        : [`trimmed ${report.trimmed.changes} changes older than ${env.FEED_RETENTION_DAYS} days`]),
    ].join('\n'),
  )
  terminal.next('catalog serve')
}

/** `catalog snapshot --nightly`: takes one at every instant of SNAPSHOT_CRON, in one process of several. */
export async function snapshotNightly(context: Context, flags: SnapshotFlags = {}): Promise<void> {
  const { catalog, env, signal } = context
  const work = async () => {
    try {
      const { isNew: taken, snapshot, removed, trimmed } = await takeAndTrim(context, flags)
      const { gen, seq, count, bytes } = snapshot
      return { taken, gen, seq: Number(seq), count, bytes, removed, trimmed }
    } catch (err) {
      if (err instanceof NothingToSnapshot) return undefined
      throw err
    }
  }
  const { SNAPSHOT_CRON: cron, LOG_LEVEL: logLevel } = env
  const missed = () => snapshotOwed(catalog)
  await runNightly(catalog, { name: 'snapshot', cron, missed, work }, { signal, logLevel })
}

/** Now, where mirrors have nowhere to begin: a generation without a snapshot, whose first changes are gone. */
async function snapshotOwed({ store, now }: Context['catalog']): Promise<Date | undefined> {
  const { snapshot, scopes } = await readFeedState(store)
  return snapshot === null && scopes.some(({ floor }) => floor > 0n) ? now() : undefined
}

/** `catalog restored`: begins a new generation after a restore from a backup, with a snapshot where there are some. */
export async function restored({ catalog, env, terminal, signal }: Context): Promise<void> {
  const { store, now } = catalog
  const bar = openStageBar(terminal)
  const { gen: present } = await readFeedState(store)
  const { from, to, numbers } = await beginWithSnapshot({
    store,
    gen: nextGeneration(present, now()),
    folder: snapshotDirOf(env),
    licence: licenceOf(env),
    now,
    signal,
    onChained: (numbers) => bar.to({ stage: 'numbers chained again', done: numbers, total: null }),
    onProgress: (at) => bar.to({ stage: 'items written', ...at }),
  }).finally(bar.done)
  const { digest, snapshot } = await readFeedState(store)
  const seq = snapshot === null ? null : Number(snapshot.seq)
  terminal.answer({ from, to, numbers, snapshot_seq: seq }, () =>
    [
      `generation ${to} began; ${from} has ended`,
      `  the chains of ${numbers} numbers were computed again; no number, no item and no price has changed`,
      ...(digest === null ? [] : ['  mirrors that have this state go on; others download what differs']),
      seq === null
        ? '  there is no snapshot yet: others begin at the next one, or at the first change where all are kept'
        : `  its snapshot at seq ${seq} was taken first`,
    ].join('\n'),
  )
  terminal.next(seq === null ? 'catalog snapshot' : 'catalog serve')
}
