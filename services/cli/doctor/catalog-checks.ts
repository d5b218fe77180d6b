import { expectCalibrated } from '@catalog/cli/shared/calibrations.ts'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Position, topicPositions } from '@catalog/operations/log-positions.ts'
import { countSecrets } from '@catalog/store/accounts/secrets.ts'
import { readLastBackup } from '@catalog/store/backup/backup.ts'
import { openDeadLetters, readSeq } from '@catalog/store/builds/status.ts'
import { readVerified } from '@catalog/store/builds/verify.ts'
import type { Store } from '@catalog/store/db.ts'
import { readJobRuns } from '@catalog/store/jobs.ts'
import { readCrawlSummary } from '@catalog/store/vendor/crawls.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import { attempt, bad, type Finding, fine, inTurn } from './finding.ts'

/** What the parts of an open catalog say of themselves. A part that is away is a finding, and the others still tell. */

const POSTGRES_MAJOR_MIN = 15
const CLOCK_SKEW_MS_MAX = 5_000
/** A night and some hours. */
const RUN_AGE_MS_MAX = 1.5 * DAY_MS
const VERIFIED_AGE_MS_MAX = 7 * DAY_MS
const BACKUP_AGE_MS_MAX = 7 * DAY_MS
const SOURCES_NAMED_MAX = 3

export async function catalogChecks(catalog: Catalog): Promise<readonly Finding[]> {
  const { store, embedder, spending, now } = catalog
  return inTurn([
    () => attempt('store', 'see that the database of DATABASE_URL runs', () => storeChecks(store, now())),
    () =>
      attempt('log', 'see that the brokers of KAFKA_BROKERS run', async () => lagChecks(await topicPositions(catalog))),
    () =>
      attempt('log settings', 'see that the brokers of KAFKA_BROKERS run', async () =>
        riskChecks(await catalog.log.risks()),
      ),
    () =>
      attempt('index', 'see that ELASTICSEARCH_URL answers; without it search has no result', () =>
        indexCheck(catalog),
      ),
    () => attempt('runs', 'catalog aggregate', () => runChecks(store, now())),
    () => attempt('self-check', 'catalog verify', () => verifiedCheck(store, now())),
    () => attempt('backup', 'catalog backup --to DIR', () => backupCheck(store, now())),
    () => attempt('crawls', 'catalog sources', () => crawlChecks(store)),
    () => attempt('own events', RETRY_REMEDY, () => ownEventsCheck(store)),
    () => attempt('secrets', SECRETS_REMEDY, () => secretsCheck(store)),
    () =>
      attempt('embedder', 'see that EMBEDDINGS_URL answers with EMBEDDINGS_KEY and EMBEDDINGS_MODEL', async () => {
        if (spending === null) return fine('embedder', `${embedder.model}, built in`)
        expectCalibrated(embedder)
        await embedder.embed(['cement'], 'query')
        return fine('embedder', `${embedder.model} answers`)
      }),
  ])
}

async function storeChecks(store: Store, now: Date): Promise<readonly Finding[]> {
  const begunMs = performance.now()
  const [row] = await store.query<{ version: string; at: string; read_only: string }>(
    `select current_setting('server_version') as version, clock_timestamp() as at,
            current_setting('transaction_read_only') as read_only`,
  )
  const { version, at, read_only: readOnly } = row as { version: string; at: string; read_only: string }
  const skewMs = Math.abs(Date.parse(at) - now.getTime()) - (performance.now() - begunMs)
  return [
    Number.parseInt(version, 10) >= POSTGRES_MAJOR_MIN
      ? fine('store', `PostgreSQL ${version}, ${store.kind}`)
      : bad('store', 'error', {
          found: `PostgreSQL ${version}, expected ${POSTGRES_MAJOR_MIN} or later`,
          remedy: 'upgrade the server, or replay into another: docs/replay.md',
        }),
    ...(readOnly === 'on'
      ? [bad('store', 'error', { found: 'it takes no writes', remedy: 'name the primary server in DATABASE_URL' })]
      : []),
    skewMs > CLOCK_SKEW_MS_MAX
      ? bad('clock', 'error', {
          found: `the clocks of this machine and of the database are ${Math.round(skewMs / 1_000)} s apart`,
          remedy: 'let NTP set both: leases, limits and runs go by them',
        })
      : fine('clock', 'that of the database'),
  ]
}

/** Tables that are ahead of their log were folded from records that it has lost. */
export function lagChecks(positions: readonly Position[]): readonly Finding[] {
  const ahead = positions.find(({ lag }) => lag < 0)
  if (ahead !== undefined) {
    const found = `${ahead.topic} partition ${ahead.partition} ends at ${ahead.end}, and the tables know ${ahead.next} records of it`
    const remedy = 'append nothing: bring back the log (docs/runbooks/log-lost.md)'
    return [bad('log', 'error', { found, remedy })]
  }
  const lag = positions.reduce((sum, { lag }) => sum + lag, 0)
  if (lag === 0) return [fine('log', 'every record is projected')]
  const remedy = 'wait, or start a projector: catalog project'
  return [bad('log', 'warning', { found: `${lag} records are not projected yet`, remedy })]
}

/** Where a log has no settings of its own, nothing is said. */
function riskChecks(risks: readonly string[]): readonly Finding[] {
  const remedy = 'kafka-configs.sh --alter and kafka-reassign-partitions.sh set them: docs/backup.md, Kafka'
  return risks.map((found) => bad('log settings', 'warning', { found, remedy }))
}

async function indexCheck({ store, index }: Catalog): Promise<Finding> {
  const [seq, { seq: indexed, documents }] = [await readSeq(store), await index.state()]
  const found = `${index.adapter}: ${documents} documents at change ${indexed} of ${seq}`
  if (indexed >= seq) return fine('index', found)
  const remedy = 'a projector feeds it: catalog project, or look at its log'
  return bad('index', 'warning', { found, remedy })
}

async function runChecks(store: Store, now: Date): Promise<readonly Finding[]> {
  const failed = (await readJobRuns(store)).filter(({ outcome }) => outcome === 'failed')
  const found: Finding[] = failed.map(({ job, due_at, process, attempt: attempts, failure }) =>
    bad(job, 'error', {
      found: `the one of ${due_at} failed on ${process}, attempt ${attempts}: ${failure}`,
      remedy: 'it is tried again by itself; mend what it says',
    }),
  )
  const last = await lastFinishedRun(store)
  if (last === undefined)
    return [...found, bad('runs', 'warning', { found: 'nothing is published yet', remedy: 'catalog aggregate' })]
  const ageMs = now.getTime() - Date.parse(last.asOf)
  const text = `the last one is of ${last.asOf}, ${Math.round(ageMs / HOUR_MS)} hours ago`
  const remedy = 'see that catalog aggregate --nightly, or catalog up, runs: AGGREGATE_CRON says when'
  return [...found, ageMs > RUN_AGE_MS_MAX ? bad('runs', 'warning', { found: text, remedy }) : fine('runs', text)]
}

async function verifiedCheck(store: Store, now: Date): Promise<Finding> {
  const verified = await readVerified(store)
  if (verified === null) return bad('self-check', 'warning', { found: 'never made', remedy: 'catalog verify' })
  const { ok, at, first_difference: difference } = verified
  if (!ok) {
    const remedy = 'rebuild the tables from the log: catalog replay (docs/replay.md)'
    return bad('self-check', 'error', { found: `the tables are not what the log gives: ${difference}`, remedy })
  }
  const found = `the tables were what the log gives at ${at}`
  return now.getTime() - Date.parse(at) > VERIFIED_AGE_MS_MAX
    ? bad('self-check', 'warning', { found, remedy: 'catalog verify, and see that VERIFY_CRON is not off' })
    : fine('self-check', found)
}

async function backupCheck(store: Store, now: Date): Promise<Finding> {
  const last = await readLastBackup(store)
  const remedy = 'catalog backup --to DIR --keep 7, each night: docs/backup.md'
  if (last === undefined) return bad('backup', 'warning', { found: 'none was ever made by catalog backup', remedy })
  const found = `the last one is of ${last.at}, in ${last.folder}`
  const isOld = now.getTime() - Date.parse(last.at) > BACKUP_AGE_MS_MAX
  return isOld ? bad('backup', 'warning', { found, remedy }) : fine('backup', found)
}

const RETRY_REMEDY = 'catalog parked retry repairs those that it can; report the others: catalog parked show ID'
/** Reasons of the projector for events that it cannot read: whatever a vendor sends, our own events are readable. */
const UNREADABLE = ['INVALID_EVENT', 'UNKNOWN_EVENT']

async function ownEventsCheck(store: Store): Promise<Finding> {
  const groups = await Promise.all(UNREADABLE.map((reason) => openDeadLetters(store, { reason, limit: 1_000 })))
  const letters = groups.flat().filter(({ origin }) => origin === 'projector')
  const [first] = letters
  if (first === undefined) return fine('own events', 'the projector read all of them')
  const [line] = first.detail.split('\n')
  const found = `the projector cannot read ${letters.length} events that a process of ours wrote: ${first.parked_id}, ${first.reason} ${line}`
  return bad('own events', 'error', { found, remedy: RETRY_REMEDY })
}

const SECRETS_REMEDY =
  'name every key that sealed something in SECRETS_KEY_FILE, the present one first: docs/environment.md'

async function secretsCheck(store: Store): Promise<Finding> {
  const { all, sealed } = await countSecrets(store)
  if (all === 0) return fine('secrets', 'none is kept yet')
  if (store.sealing === undefined || store.sealing.keys.length === 0) {
    const remedy = 'openssl rand -base64 32 > secrets.key; chmod 600 secrets.key; then set SECRETS_KEY_FILE to it'
    return bad('secrets', 'warning', { found: `${all} secrets lie in clear in the database and its backups`, remedy })
  }
  const found = `${sealed} of ${all} secrets are sealed by the present key`
  const remedy = 'start catalog serve, or catalog up, which seals them'
  return sealed < all ? bad('secrets', 'warning', { found, remedy }) : fine('secrets', found)
}

async function crawlChecks(store: Store): Promise<readonly Finding[]> {
  const { sources, failing, held, trouble } = await readCrawlSummary(store, { limit: SOURCES_NAMED_MAX })
  if (failing + held === 0) return [fine('crawls', `${sources} sources, none failing or held`)]
  const names = trouble.map(({ name }) => name).join(', ')
  const found = `of ${sources} sources ${failing} fail and ${held} are held: ${names}`
  return [
    bad('crawls', 'warning', {
      found,
      remedy: 'catalog status shows why; catalog sources accept or drop a held crawl',
    }),
  ]
}
