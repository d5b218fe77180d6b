import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { externalIssuer } from '@catalog/api/agents/tokens.ts'
import { MCP_PATH } from '@catalog/api/contract/shared/mcp-paths.ts'
import { originOf } from '@catalog/api/http/context.ts'
import type { HttpMetrics } from '@catalog/api/http-metrics.ts'
import { buildApi } from '@catalog/api/server.ts'
import { limitsOf } from '@catalog/cli/access/rate-limits.ts'
import { withCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { expectCalibrated } from '@catalog/cli/shared/calibrations.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { operatorViews } from '@catalog/console/operators/operators.ts'
import { openConsole } from '@catalog/console/serve.ts'
import { openExplorer } from '@catalog/explorer/explorer.ts'
import { deliverMail } from '@catalog/mail/deliver.ts'
import { type Mailer, senderOf } from '@catalog/mail/mail.ts'
import { openMailFolder } from '@catalog/mail/mail-folder.ts'
import { openSmtp } from '@catalog/mail/smtp.ts'
import { recordPairsWhenDue } from '@catalog/operations/decisions/pending-pairs.ts'
import { topicPositions } from '@catalog/operations/log-positions.ts'
import { openReplica } from '@catalog/replica/follow/replica.ts'
import { type Environment, licenceOf, snapshotDirOf } from '@catalog/runtime/env.ts'
import { openFetch } from '@catalog/runtime/fetch.ts'
import { atMostOnceAMinute, openLogger } from '@catalog/runtime/run.ts'
import { sealSecrets } from '@catalog/store/accounts/secrets.ts'
import type { Store } from '@catalog/store/db.ts'
import { readSources } from '@catalog/store/vendor/sources.ts'
import { readyText } from './examples.ts'
import { freePort, publicBaseUrlOf } from './free-port.ts'
import type { Loading } from './loading.ts'

const READY_WAIT_MS = 100
/** Sources whose markets choose the first requests to show. */
const SOURCES_LOOKED_AT = 100
/** Items between two lines of progress, some seconds apart. */
const FILL_SAY_ITEMS = 50_000
const FILLED_LOOK_MS = 20

type ServeOptions = Readonly<{
  host: string
  metrics?: HttpMetrics | undefined
  /** Answers at the port until the API does. */
  loading?: Loading
  onReady?: () => void
}>

/** `catalog serve`: the API alone. It answers open requests before it closes. */
export async function serve(
  { catalog, env, terminal, signal }: Context,
  { host, metrics, loading, onReady }: ServeOptions,
): Promise<void> {
  expectCalibrated(catalog.embedder)
  const logger = openLogger(env.LOG_LEVEL, 'serve')
  // The page of the start listens at this port already.
  const port = loading === undefined ? await freePort(host, env.PORT) : env.PORT
  const publicBaseUrl = publicBaseUrlOf(env, { host, port })
  const limits = limitsOf(env)
  await using mailer = await openMailer(env)
  if (!isSafe(new URL(publicBaseUrl))) {
    logger.warn(
      { publicBaseUrl },
      'nobody can sign in at /console: expected PUBLIC_BASE_URL with https, or on this machine',
    )
  }
  const sealed = await sealSecrets(catalog.store)
  if (sealed > 0) logger.info({ sealed }, 'secrets of the database are sealed by the first key now')
  const people = openConsole(
    {
      store: catalog.store,
      origin: originOf(publicBaseUrl),
      limits,
      now: catalog.now,
      log: logger,
      fetch: openFetch({ allowed: env.FETCH_ALLOWED_NETWORKS }),
    },
    {
      ...issuerOf(env, publicBaseUrl),
      operatorViews: (pages) => operatorViews(pages, withCrawler({ catalog, env, signal })),
    },
  )
  await using replica = openOwnReplica(catalog.store, { folder: join(env.CATALOG_DATA, 'replica'), logger })
  const api = buildApi({
    ...people,
    explorer: openExplorer,
    replica,
    store: catalog.store,
    index: catalog.index,
    embedder: catalog.embedder,
    onUnavailable: env.SEARCH_ON_UNAVAILABLE,
    publicBaseUrl,
    limits,
    dataLicence: licenceOf(env),
    securityContact: env.SECURITY_CONTACT,
    trustedProxies: env.TRUSTED_PROXIES,
    snapshotDir: snapshotDirOf(env),
    unprojected: async () => (await topicPositions(catalog)).reduce((sum, { lag }) => sum + lag, 0),
    incidentsFile: env.STATUS_INCIDENTS ?? join(env.CATALOG_DATA, 'incidents.json'),
    metrics,
    now: catalog.now,
    log: logger,
  })
  // Begin to load the exact index now, which takes a minute with a million items. A failed load begins again with a search.
  const searched = catalog.index.isEmbedded().catch(() => {})
  const filled = async () => {
    while (replica.last() === undefined && !signal.aborted) await delay(FILLED_LOOK_MS)
  }
  if (loading !== undefined) {
    await Promise.all([filled(), searched])
    await loading[Symbol.asyncDispose]()
  }
  await api.listen({ host, port })
  await filled()
  // Programs read no requests to try, and need no answer of the store for them.
  const sources = terminal.json ? [] : await readSources(catalog.store, { after: undefined, limit: SOURCES_LOOKED_AT })
  const regions = sources.map(({ region }) => region)
  terminal.answer({ ready: true, address: `${publicBaseUrl}/v1` }, () => readyText(publicBaseUrl, regions))
  onReady?.()
  const mailed = deliverMail({ store: catalog.store, mailer, now: catalog.now, signal, log: logger })
  const recorded = recordPairsWhenDue(catalog, { signal, log: logger })
  if (!signal.aborted) await once(signal, 'abort')
  api.drain()
  // Long enough for one more probe of a load balancer, short enough for a person at the terminal.
  await delay(READY_WAIT_MS)
  await Promise.all([api.close(), mailed, recorded])
}

/** An external issuer of agents' tokens, where the environment names one. */
function issuerOf(env: Environment, publicBaseUrl: string) {
  if (env.OAUTH_ISSUER === undefined) return {}
  return {
    externalIssuer: externalIssuer({
      issuer: env.OAUTH_ISSUER,
      // The environment requires it together with the issuer.
      jwksUri: env.OAUTH_JWKS_URI as string,
      audience: env.OAUTH_AUDIENCE ?? originOf(publicBaseUrl) + MCP_PATH,
    }),
  }
}

/** The replica of this host, which tells the operator of what it meets. */
function openOwnReplica(store: Store, { folder, logger }: { folder: string; logger: ReturnType<typeof openLogger> }) {
  return openReplica({
    store,
    folder,
    onFill({ items, of }) {
      if (items % FILL_SAY_ITEMS === 0) logger.info({ items, of }, 'the replica is being filled; readers get a 503')
    },
    onError: atMostOnceAMinute((err) =>
      logger.warn({ err }, 'the replica does not follow; readers get what it has, or a 503 before it was filled'),
    ),
    onDamage: (err) =>
      logger.warn({ err }, 'the file of the replica is damaged; readers get a 503 while it is filled again'),
    onFault: (err) => logger.error({ err }, 'a row of the replica could not be shown, though its file is sound'),
  })
}

/** Browsers keep session cookies only from such addresses. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]'
}

async function openMailer(env: Environment): Promise<Mailer> {
  const from = senderOf(env.MAIL_FROM)
  if (env.SMTP_URL !== undefined) return openSmtp({ url: env.SMTP_URL, from })
  return await openMailFolder({ dir: join(env.CATALOG_DATA, 'mail'), from, log: openLogger(env.LOG_LEVEL, 'mail') })
}
