import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerOf, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { kafkaAvailable, startKafka } from '@catalog/stack/servers/kafka.ts'
import { postgresAvailable, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { readJobRuns } from '@catalog/store/jobs.ts'
import { expect, test } from 'vitest'

const missing = postgresAvailable()
/** Two processes start in less. */
const STARTS_WITHIN_MS = 25_000
const WAIT_MS = 120_000

const until = (holds: () => boolean | Promise<boolean>) => expect.poll(holds, { timeout: WAIT_MS }).toBe(true)

test.skipIf(missing !== null)(
  `${missing ?? ''}a nightly run whose database is away at its instant is published once, when it is back`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-recovery-'))
    await using postgres = await startPostgres()
    const list = join(folder.path, 'prices.csv')
    writeFileSync(list, 'ref,name,unit,price\nC25,Portland cement CEM II 42.5 R,25 kg,4.85\n')
    const options = { data: folder.path, env: { DATABASE_URL: postgres.url, LOG_LEVEL: 'info' } }
    const crawled = ['--source', 'Northern Materials', '--region', 'ES', '--currency', 'EUR']
    await answerOf(['crawl', list, ...crawled, '--observed-at', '2026-11-20'], options)

    const due = new Date(Math.ceil((Date.now() + STARTS_WITHIN_MS) / 1000) * 1000)
    const cron = `${due.getUTCSeconds()} ${due.getUTCMinutes()} ${due.getUTCHours()} * * *`
    const env = { ...options.env, AGGREGATE_CRON: cron }
    await using stack = new AsyncDisposableStack()
    const nightly = (): Running => stack.use(startCatalog(['aggregate', '--nightly'], { ...options, env }))
    const both = [nightly(), nightly()]
    await until(() => both.every((process) => process.output().includes('nightly aggregate waits')))
    await postgres.stop()
    await until(() => both.every((process) => process.output().includes('failed and is tried again')))
    expect(Date.now()).toBeGreaterThanOrEqual(due.getTime())
    await postgres.start()

    await using store = await openStore({ kind: 'postgres', connection: { url: postgres.url } })
    const jobs = async () => (await readJobRuns(store)).filter(({ outcome }) => outcome === 'done')
    await until(async () => (await jobs()).length > 0)
    const [job] = await jobs()
    expect([Date.parse(job?.due_at as string), (job?.attempt ?? 0) > 1]).toEqual([due.getTime(), true])
    await until(async () => (await store.query('select from leases')).length === 0)
    expect(await store.query<{ as_of: string }>('select as_of from run_marks')).toHaveLength(1)
    // Both go on: a run of tomorrow needs no hand.
    expect(both.map((process) => process.kill('SIGTERM'))).toEqual([true, true])
    expect(await Promise.all(both.map(async ({ finished }) => (await finished).code))).toEqual([0, 0])
  },
)

const withoutKafka = missing ?? kafkaAvailable()
const ROWS = 30_000

test.skipIf(withoutKafka !== null)(
  `${withoutKafka ?? ''}a broker that is away for a while ends no crawl, and nothing is lost or doubled`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-recovery-'))
    await using postgres = await startPostgres()
    await using kafka = await startKafka()
    const list = join(folder.path, 'prices.csv')
    const rows = Array.from({ length: ROWS }, (_, i) => `R${i},Ceramic brick type ${i},u,${(100 + i) / 100}`)
    writeFileSync(list, `ref,name,unit,price\n${rows.join('\n')}\n`)
    const env = { DATABASE_URL: postgres.url, KAFKA_BROKERS: kafka.brokers }
    const options = { data: folder.path, env }
    await using _projector = startCatalog(['project'], options)
    const asked = ['--source', 'Northern Materials', '--region', 'ES', '--currency', 'EUR']
    await using crawl = startCatalog(['crawl', list, ...asked, '--observed-at', '2026-11-20', '--json'], options)
    await using store = await openStore({ kind: 'postgres', connection: { url: postgres.url } })
    const observations = async () => {
      const rows = await store
        .query<{ n: number }>('select count(*)::int as n from observations')
        .catch(() => [{ n: 0 }])
      return rows[0]?.n ?? 0
    }
    await until(async () => (await observations()) > 0)
    expect(await observations()).toBeLessThan(ROWS)
    await kafka.kill(0)
    await kafka.restart(0)
    const { code, stdout, stderr } = await crawl.finished
    expect([code, stderr]).toEqual([0, expect.anything()])
    expect(JSON.parse(stdout)).toMatchObject({ inputs: [{ read: ROWS, appended: ROWS }] })
    await until(async () => (await observations()) === ROWS)
  },
)
