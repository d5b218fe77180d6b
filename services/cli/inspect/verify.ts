import { randomBytes } from 'node:crypto'
import type { Context } from '@catalog/cli/shared/context.ts'
import { type NightlyJob, runNightly, wholeSecond } from '@catalog/cli/shared/nightly.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { VERIFY_RATE, verifiedOf, verifyCatalog } from '@catalog/projector/verify/verify.ts'
import { readVerified, saveVerified, type Verified } from '@catalog/store/builds/verify.ts'
import { withLease } from '@catalog/store/lease.ts'

/** Another process takes over this long after the one that compares was killed. */
const VERIFY_LEASE_MS = 30_000

/**
 * `catalog verify`: proves that the tables are the fold of the log, or shows the first difference. Returns whether all
 * checks hold.
 */
export async function verifyTables(
  catalog: Catalog,
  terminal: Terminal,
  { rate = VERIFY_RATE, signal }: { rate?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const progress = terminal.progress('records and rows')
  const at = catalog.now()
  const found = await verifyCatalog(catalog, { rate, ...(signal && { signal }), onProgress: progress.to }).finally(
    progress.done,
  )
  const { ok, positions, checks } = found
  const verified = verifiedOf(found, { at, endedAt: catalog.now() })
  await saveVerified(catalog.store, verified)
  terminal.answer({ ok, positions, duration_s: verified.duration_s, checks }, () =>
    [
      table(
        checks.map(({ name, ok, log, tables, meanwhile }) => {
          return { check: name, holds: ok ? 'yes' : 'NO', log, tables, meanwhile }
        }),
      ),
      ...checks.flatMap(({ name, first_difference }) => (first_difference ? [`\n${name}: ${first_difference}`] : [])),
    ].join('\n'),
  )
  return ok
}

/**
 * `catalog verify --nightly`: compares the tables with the log at every instant of VERIFY_CRON, in one process of several.
 * Logs a difference, keeps it for `catalog status`, and goes on. With VERIFY_CRON=off it only waits for the signal.
 */
export async function verifyNightly({ catalog, env, signal }: Context, { rate = VERIFY_RATE } = {}): Promise<void> {
  const { VERIFY_CRON: cron, LOG_LEVEL: logLevel } = env
  const work: NightlyJob['work'] = async (due, logger) => {
    const verified = await verifyOnce({ catalog, signal }, { due, rate })
    if (verified?.ok === false) logger.error({ verified }, 'THE TABLES ARE NOT WHAT THE LOG GIVES')
    return verified
  }
  await runNightly(catalog, { name: 'verify', cron, work }, { signal, logLevel })
}

/** Returns undefined if another process has compared since the due instant. */
export async function verifyOnce(
  { catalog, signal }: Pick<Context, 'catalog' | 'signal'>,
  { due, rate }: { due: Date; rate: number },
): Promise<Verified | undefined> {
  const { store, now } = catalog
  const lease = { name: 'verify', holder: randomBytes(8).toString('hex'), ttlMs: VERIFY_LEASE_MS }
  return withLease(
    store,
    lease,
    async (signal) => {
      const last = await readVerified(store)
      if (last !== null && Date.parse(last.at) >= wholeSecond(due).getTime()) return undefined
      const at = now()
      const found = await verifyCatalog(catalog, { rate, signal })
      const verified = verifiedOf(found, { at, endedAt: now() })
      await saveVerified(store, verified)
      return verified
    },
    signal,
  )
}
