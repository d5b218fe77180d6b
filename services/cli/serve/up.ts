import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { aggregate } from '@catalog/aggregator/run.ts'
import { issuerElsewhere } from '@catalog/api/agents/tokens.ts'
import { MCP_PATH } from '@catalog/api/contract/mcp-paths.ts'
import { originOf } from '@catalog/api/http/context.ts'
import { buildApi } from '@catalog/api/server.ts'
import { bringSampleUpToDate } from '@catalog/cli/crawl/sample-crawls.ts'
import { crawlScheduled } from '@catalog/cli/crawl/source-crawls.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { type Catalog, PROJECTIONS } from '@catalog/cli/shared/wire.ts'
import { openConsole } from '@catalog/console/serve.ts'
import { instant } from '@catalog/core/time.ts'
import { deliverMail } from '@catalog/mail/deliver.ts'
import { openFiles } from '@catalog/mail/files.ts'
import { type Mailer, senderOf } from '@catalog/mail/mail.ts'
import { openSmtp } from '@catalog/mail/smtp.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { follow, Halt } from '@catalog/projector/pump.ts'
import { followChanges } from '@catalog/projector/search-feeder.ts'
import { VERIFY_RATE, verifiedOf, verifyCatalog } from '@catalog/projector/verify/verify.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { openFetch } from '@catalog/runtime/fetch.ts'
import { openLogger, retrying, sideBySide } from '@catalog/runtime/run.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { readVerified, saveVerified, type Verified } from '@catalog/store/builds/verify.ts'
import { withLease } from '@catalog/store/lease.ts'
import { lastFinishedRun } from '@catalog/store/vendor/as-of-queries.ts'
import { schedule } from 'node-cron'
import { limitsOf } from '@catalog/cli/access/keys.ts'
import { nightlySnapshot, snapshotDirOf } from '@catalog/cli/mirror/snapshot.ts'

/** A run ends once a night, and its digest takes seconds. */
const DIGEST_POLL_MS = 1_000
const READY_WAIT_MS = 100
/** Who compares is replaced after this where it was killed. */
const VERIFY_LEASE_MS = 30_000

type Stage = Readonly<{ catalog: Catalog; env: Environment; terminal: Terminal; signal: AbortSignal }>

/** `catalog up`: everything in one process tree. Resolves when the signal aborted and everything has drained. */
export async function up(stage: Stage, { sample, host }: { sample: boolean; host: string }): Promise<void> {
  const { catalog, terminal, signal } = stage
  if (!catalog.owner)
    throw new Error(`another process has the data folder open; stop it, or choose another with --data`)
  // Told before the catalog is brought up to date, not after.
  await freePort(host, stage.env.PORT)
  await catalog.catchUp()
  if (sample) await bringSampleUpToDate(catalog, terminal)
  else if ((await lastFinishedRun(catalog.store)) === undefined && (await readCounts(catalog.store)).observations > 0) {
    await aggregate(catalog.aggregator, { asOf: instant(catalog.now()) })
    await catalog.catchUp()
  }
  signal.throwIfAborted()
  await sideBySide(signal, (signal) => {
    const linked = { ...stage, signal }
    return [
      project(linked),
      nightly(linked),
      nightlySnapshot(linked),
      nightlyVerify(linked),
      crawlScheduled(linked),
      serve(linked, { host }),
    ]
  })
}

/** `catalog project`: follows the log, feeds the index and makes the digests. A failing store is waited for; a Halt ends the process. */
export async function project({ catalog, env, signal }: Stage): Promise<void> {
  const logger = openLogger(env.LOG_LEVEL)
  const { store, log, index, embedder } = catalog
  const keepTrying = (signal: AbortSignal, name: string, work: () => Promise<void>) =>
    retrying(work, {
      signal,
      isFatal: (error) => error instanceof Halt,
      onRetry: (err, waitMs) => logger.warn({ err, waitMs }, `${name} failed and is tried again`),
    })
  // A Halt of the projection stops the feeding of the index too: the process ends, and its store with it.
  await sideBySide(signal, (signal) => [
    keepTrying(signal, 'projection', () => follow({ store, log, projections: PROJECTIONS, signal })),
    keepTrying(signal, 'index', () =>
      followChanges({
        store,
        index,
        embedder,
        signal,
        onWait: (err, waitMs) => logger.warn({ err, waitMs }, 'the index waits for the embeddings provider'),
      }),
    ),
    keepTrying(signal, 'digest', async () => {
      while (!signal.aborted) {
        const made = await digestNewestMark(store, signal)
        if (!made) await delay(DIGEST_POLL_MS, undefined, { signal }).catch(() => {})
      }
    }),
  ])
}

/**
 * `catalog aggregate --nightly`: `as_of` is the scheduled instant; of several processes one holds the lease and the others
 * find no work.
 */
export async function nightly({ catalog, env, signal }: Stage): Promise<void> {
  const logger = openLogger(env.LOG_LEVEL)
  const task = schedule(
    env.AGGREGATE_CRON,
    async ({ date }) => {
      const asOf = instant(new Date(Math.floor(date.getTime() / 1000) * 1000))
      try {
        const [report] = (await aggregate({ ...catalog.aggregator, signal }, { asOf })).slice(-1)
        logger.info({ report }, 'nightly run finished')
      } catch (err) {
        logger.error({ err, asOf }, 'nightly run failed; the next one makes up for it')
      }
    },
    { timezone: 'UTC', noOverlap: true },
  )
  if (!signal.aborted) await once(signal, 'abort')
  await task.destroy()
}

/**
 * `catalog verify --nightly`: stays, and compares the tables with the log whenever VERIFY_CRON says; of several processes one
 * does. A difference is told and kept for `catalog status`, and the process goes on. With VERIFY_CRON=off it waits to end.
 */
export async function nightlyVerify({ catalog, env, signal }: Stage, { rate = VERIFY_RATE } = {}): Promise<void> {
  const logger = openLogger(env.LOG_LEVEL)
  const task =
    env.VERIFY_CRON === null
      ? undefined
      : schedule(
          env.VERIFY_CRON,
          async ({ date }) => {
            try {
              const verified = await verifyOnce({ catalog, signal }, { due: date, rate })
              if (verified?.ok)
                logger.info({ verified }, 'nightly comparison finished: the tables are what the log gives')
              else if (verified) logger.error({ verified }, 'THE TABLES ARE NOT WHAT THE LOG GIVES')
            } catch (err) {
              if (!signal.aborted) logger.error({ err }, 'nightly comparison failed; the next one makes up for it')
            }
          },
          { timezone: 'UTC', noOverlap: true },
        )
  if (!signal.aborted) await once(signal, 'abort')
  await task?.destroy()
}

/** Undefined where another process has compared since it was due. */
export async function verifyOnce(
  { catalog, signal }: Pick<Stage, 'catalog' | 'signal'>,
  { due, rate }: { due: Date; rate: number },
): Promise<Verified | undefined> {
  const { store, now } = catalog
  const lease = { name: 'verify', holder: randomBytes(8).toString('hex'), ttlMs: VERIFY_LEASE_MS }
  return withLease(
    store,
    lease,
    async (signal) => {
      const last = await readVerified(store)
      // A schedule is told in seconds.
      if (last !== null && Date.parse(last.at) >= Math.floor(due.getTime() / 1000) * 1000) return undefined
      const at = now()
      const found = await verifyCatalog(catalog, { rate, signal })
      const verified = verifiedOf(found, { at, endedAt: now() })
      await saveVerified(store, verified)
      return verified
    },
    signal,
  )
}

/** `catalog serve`: the API alone. Answers what is running before it closes. */
export async function serve({ catalog, env, terminal, signal }: Stage, { host }: { host: string }): Promise<void> {
  const logger = openLogger(env.LOG_LEVEL)
  const port = await freePort(host, env.PORT)
  const publicBaseUrl = env.PUBLIC_BASE_URL ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  const limits = limitsOf(env)
  await using mailer = await openMailer(env)
  if (!isSafe(new URL(publicBaseUrl))) {
    logger.warn(
      { publicBaseUrl },
      'nobody can sign in at /console: expected PUBLIC_BASE_URL with https, or on this machine',
    )
  }
  const people = openConsole(
    {
      store: catalog.store,
      origin: originOf(publicBaseUrl),
      limits,
      now: catalog.now,
      log: logger,
      fetch: openFetch({ allowed: env.FETCH_ALLOWED_NETWORKS }),
    },
    env.OAUTH_ISSUER === undefined
      ? {}
      : {
          externalIssuer: issuerElsewhere({
            issuer: env.OAUTH_ISSUER,
            // The environment has it with the issuer.
            jwksUri: env.OAUTH_JWKS_URI as string,
            audience: env.OAUTH_AUDIENCE ?? originOf(publicBaseUrl) + MCP_PATH,
          }),
        },
  )
  const api = buildApi({
    ...people,
    store: catalog.store,
    index: catalog.index,
    embedder: catalog.embedder,
    publicBaseUrl,
    limits,
    dataLicence: env.DATA_LICENCE === undefined ? null : { name: env.DATA_LICENCE, url: env.DATA_LICENCE_URL ?? null },
    trustedProxies: env.TRUSTED_PROXIES,
    snapshotDir: snapshotDirOf(env),
    now: catalog.now,
    log: logger,
  })
  await api.listen({ host, port })
  terminal.answer({ ready: true, address: `${publicBaseUrl}/v1` }, () =>
    [
      `Construction Cost Catalog is ready at ${publicBaseUrl}/v1`,
      `  a page    curl '${publicBaseUrl}/v1/items?region=ES&limit=5'`,
      `  a search  curl '${publicBaseUrl}/v1/search?q=drywall'`,
      `  a feed    curl '${publicBaseUrl}/v1/feeds/items.atom'`,
    ].join('\n'),
  )
  const mailed = deliverMail({ store: catalog.store, mailer, now: catalog.now, signal, log: logger })
  if (!signal.aborted) await once(signal, 'abort')
  api.drain()
  // Long enough for one more probe of a balancer, short enough for a person at the terminal.
  await delay(READY_WAIT_MS)
  await Promise.all([api.close(), mailed])
}

/** Browsers keep the cookie of a session from no other address. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
}

async function openMailer(env: Environment): Promise<Mailer> {
  const from = senderOf(env.MAIL_FROM)
  if (env.SMTP_URL !== undefined) return openSmtp({ url: env.SMTP_URL, from })
  return await openFiles({ dir: join(env.CATALOG_DATA, 'mail'), from, log: openLogger(env.LOG_LEVEL) })
}

/** The port if nobody listens on it; for 0 one that is free: every link must name it before the API is built. */
async function freePort(host: string, wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, host)
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Error(`port ${wanted} is in use; stop what listens there, or choose another with --port`)
    throw error
  })
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
