import { ageSeconds, type WatchedCatalog } from '@catalog/api/http/catalog-version.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { readWriteRefusal } from '@catalog/store/builds/status.ts'
import type { Store } from '@catalog/store/db.ts'
import { SCHEMA_VERSION, schemaVersion } from '@catalog/store/migrations/migrate.ts'
import type { FastifyInstance } from 'fastify'

const READY_RETRY_SECONDS = 5

/** GET /livez and GET /readyz, for process managers and load balancers. */
export function probeRoutes(
  app: FastifyInstance,
  { store, catalog, isDraining }: { store: Store; catalog: WatchedCatalog; isDraining: () => boolean },
): void {
  app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: { hide: true } }, async () => {
    await catalog.version.get().catch(() => {})
    const awayMs = catalog.awayMs()
    const emptiness = catalog.emptiness()
    // A replica answers public reads without the store: a load balancer that turned away would make it worse.
    if (!isDraining() && awayMs !== undefined && emptiness === undefined) {
      return { status: 'degraded', reason: AWAY, age_seconds: ageSeconds(awayMs) }
    }
    const problem = isDraining() ? 'the server is stopping' : await readinessProblem(store)
    if (problem !== undefined) throw new ApiError('not_ready', problem, { retryAfterSeconds: READY_RETRY_SECONDS })
    if (emptiness !== undefined) throw emptiness
    if ((await readWriteRefusal(store).catch(() => undefined)) !== undefined)
      return { status: 'degraded', reason: NO_WRITES }
    return { status: 'ok' }
  })
}

const AWAY = 'the database does not answer'
const NO_WRITES = 'the database takes no writes'

async function readinessProblem(store: Store): Promise<string | undefined> {
  try {
    const version = await schemaVersion(store)
    return version === SCHEMA_VERSION ? undefined : `the schema has version ${version}, expected ${SCHEMA_VERSION}`
  } catch {
    return AWAY
  }
}
