import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { retryDeadLetters } from '@catalog/operations/decisions/dead-letters.ts'
import { type Environment, readEnvironment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { appendTo, event, registration } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { claimSecret, sealSecrets } from '@catalog/store/accounts/secrets.ts'
import { saveVerified } from '@catalog/store/builds/verify.ts'
import { saveJobRun } from '@catalog/store/jobs.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { catalogChecks, lagChecks } from './catalog-checks.ts'
import { doctor } from './doctor.ts'
import type { Finding } from './finding.ts'
import { hostChecks, nodeCheck } from './host-checks.ts'
import { sourcesChecks } from './sources-checks.ts'

const NOW = new Date('2026-11-26T12:00:00Z')
let catalog: Catalog
let folder: string
const envWith = (more: Record<string, string> = {}): Environment =>
  readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent', ...more })
const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  ;({ catalog, folder } = opened)
})

const statesOf = (findings: readonly Finding[]) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]))
const named = (findings: readonly Finding[], check: string) => findings.find((finding) => finding.check === check)

describe('the doctor', () => {
  test('of a new catalog finds no error, says what waits, and gives each finding that is not well a remedy', async () => {
    const { heard, terminal } = listening()
    expect(await doctor(envWith(), terminal)).toBe(true)
    const { ok, findings } = heard.answers[0] as { ok: boolean; findings: Finding[] }
    expect(ok).toBe(true)
    expect(statesOf(findings)).toMatchObject({ node: 'ok', store: 'ok', clock: 'ok', log: 'ok', runs: 'warning' })
    for (const { state, remedy } of findings) expect(remedy === null).toBe(state === 'ok')
    expect(heard.text).toMatch(/\d+ checks: 0 errors, \d+ warnings$/)
  })

  test('without its database says so, and looks at the rest', async () => {
    const { heard, terminal } = listening()
    expect(await doctor(envWith({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }), terminal)).toBe(false)
    const { findings } = heard.answers[0] as { findings: Finding[] }
    expect(statesOf(findings)).toMatchObject({ node: 'ok', disk: 'ok', catalog: 'error' })
    expect(named(findings, 'catalog')?.found).toContain('ECONNREFUSED')
  })
})

describe('a data folder that does not open', () => {
  test('is told by its own remedy, and nothing opens it', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const { heard, terminal } = listening()
    expect(await doctor(readEnvironment({ CATALOG_DATA: file, LOG_LEVEL: 'silent' }), terminal)).toBe(false)
    const { findings } = heard.answers[0] as { findings: Finding[] }
    expect(named(findings, 'data folder')).toMatchObject({
      state: 'error',
      found: `${file} is a file, expected a folder`,
      remedy: expect.not.stringContaining('chmod'),
    })
    expect(named(findings, 'catalog')).toBeUndefined()
  })

  test('a schema of newer code is told by what to do about it', async () => {
    await catalog.store.query(`insert into schema_migrations (version) values (99)`)
    const { heard, terminal } = listening()
    await doctor(opened.env, terminal)
    await catalog.store.query(`delete from schema_migrations where version = 99`)
    const { findings } = heard.answers[0] as { findings: Finding[] }
    expect(named(findings, 'catalog')).toMatchObject({
      found: expect.stringContaining('the schema has version 99'),
      remedy: 'docs/upgrade.md and docs/backup.md say how',
    })
  })
})

describe('the check of the sources file', () => {
  test('tells mistakes by their lines, a file that is missing, and is silent where none is named', async () => {
    const file = join(folder, 'sources.yaml')
    const found = () => sourcesChecks(envWith({ CATALOG_SOURCES: file }))
    expect(await found()).toMatchObject([{ state: 'error', found: `${file}: no such file` }])
    writeFileSync(file, 'sources:\n  - nonsense: 1\n')
    expect(await found()).toMatchObject([{ state: 'error', found: expect.stringMatching(/line 2/) }])
    expect(await sourcesChecks(envWith())).toEqual([])
  })
})

describe('the check of secrets', () => {
  const secretsOf = async (keys: string[]) =>
    named(await catalogChecks({ ...catalog, store: { ...catalog.store, sealing: { keys } } }), 'secrets')

  test('warns of those in clear, and of those that wait to be sealed; a lost key is an error', async () => {
    const [key, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
    expect(await secretsOf([])).toMatchObject({ state: 'ok' })
    await claimSecret(catalog.store, 'address_secret')
    expect(await secretsOf([])).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('1 secrets lie in clear'),
    })
    expect(await secretsOf([key])).toMatchObject({
      state: 'warning',
      found: '0 of 1 secrets are sealed by the present key',
    })
    await sealSecrets({ ...catalog.store, sealing: { keys: [key] } })
    expect(await secretsOf([key])).toMatchObject({ state: 'ok' })
    expect(await secretsOf([other])).toMatchObject({
      state: 'error',
      remedy: expect.stringContaining('SECRETS_KEY_FILE'),
    })
    await catalog.store.query(`delete from meta where key = 'address_secret'`)
  })
})

describe('the checks of the parts', () => {
  test('tell a failed night, a self-check that did not hold, and records that wait', async () => {
    await saveJobRun(catalog.store, {
      job: 'aggregate',
      due_at: '2026-11-26T02:00:00Z',
      process: 'host:7',
      began_at: '2026-11-26T02:00:00Z',
      ended_at: '2026-11-26T02:00:01Z',
      outcome: 'failed',
      attempt: 3,
      failure: 'the disk is full',
    })
    const at = catalog.now().toISOString()
    await saveVerified(catalog.store, { at, duration_s: 1, ok: false, first_difference: 'row 7', positions: {} })
    await appendTo(catalog.log, [registration()])
    const findings = await catalogChecks(catalog)
    expect(statesOf(findings)).toMatchObject({ aggregate: 'error', 'self-check': 'error', log: 'warning' })
    expect(named(findings, 'aggregate')?.found).toContain('host:7, attempt 3: the disk is full')
    expect(named(findings, 'self-check')?.found).toContain('row 7')
    expect(named(findings, 'log')?.found).toBe('1 records are not projected yet')
  })

  test('of which one fails are findings, and the others are made', async () => {
    const away = async () => {
      throw new Error('connect ECONNREFUSED')
    }
    const broken = { ...catalog, log: { ...catalog.log, partitions: away }, index: { ...catalog.index, state: away } }
    expect(statesOf(await catalogChecks(broken))).toMatchObject({
      log: 'error',
      index: 'error',
      store: 'ok',
      embedder: 'ok',
    })
  })

  test('tell the clock of another hour', async () => {
    const findings = await catalogChecks({ ...catalog, now: () => new Date(Date.now() + 3_600_000) })
    expect(named(findings, 'clock')).toMatchObject({ state: 'error', found: expect.stringContaining('3600 s apart') })
  })

  test('tell tables that are ahead of their log as what has lost records', () => {
    const place = { name: 'vendor', topic: 'vendor.observations', partition: 0, next: 9, end: 4, lag: -5 }
    expect(lagChecks([place])).toMatchObject([
      { state: 'error', found: 'vendor.observations partition 0 ends at 4, and the tables know 9 records of it' },
    ])
  })
})

describe('the checks of the machine', () => {
  test('tell an old Node, an open folder, an address without https, and a mail server that is away', async () => {
    expect([nodeCheck('20.20.2').state, nodeCheck('24.21.0').state]).toEqual(['error', 'ok'])
    chmodSync(folder, 0o755)
    const more = { PUBLIC_BASE_URL: 'http://prices.example', SMTP_URL: 'smtp://127.0.0.1:1' }
    const findings = await hostChecks(envWith(more), NOW)
    chmodSync(folder, 0o700)
    expect(statesOf(findings)).toMatchObject({ 'data folder': 'warning', address: 'error', mail: 'error' })
    expect(statesOf(await hostChecks(envWith(), NOW))).toMatchObject({ 'data folder': 'ok', address: 'warning' })
  })

  test('tell a file of secrets that others can read', async () => {
    const path = join(folder, 'secrets.key')
    writeFileSync(path, Buffer.alloc(32, 1).toString('base64'), { mode: 0o600 })
    const found = async () => named(await hostChecks(envWith({ SECRETS_KEY_FILE: path }), NOW), 'secret files')
    expect(await found()).toBeUndefined()
    chmodSync(path, 0o644)
    expect(await found()).toMatchObject({ state: 'warning', remedy: `chmod 600 '${path}'` })
  })

  test('tell an https address that does not answer', async () => {
    const findings = await hostChecks(envWith({ PUBLIC_BASE_URL: 'https://127.0.0.1:1' }), NOW)
    expect(named(findings, 'certificate')).toMatchObject({
      state: 'error',
      found: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

test('an event of ours that nobody can read is an error, and catalog parked retry repairs it', async () => {
  const own = async () => named(await catalogChecks(catalog), 'own events')
  expect(await own()).toMatchObject({ state: 'ok' })
  const pairs = Array.from({ length: 500 }, (_, n) => {
    const [a, b] = [`vsku_a${n}`, `vsku_b${n}`].map((id) => id.padEnd(60, '0')) as [string, string]
    return { vendor_sku_ids: [a, b] as [string, string], score: 0.9, why: n === 7 ? [] : ['score'] }
  })
  const decided_at = '2026-11-26T00:00:00Z'
  await appendTo(catalog.log, [event({ type: 'PairsProposed', decided_at, rule_version: 'learned/1', pairs })])
  await catalog.catchUp()
  const found = await own()
  expect(found).toMatchObject({ state: 'error', remedy: expect.stringMatching(/^catalog parked retry/) })
  expect(found?.found).toMatch(/^the projector cannot read 1 events .*: catalog\.decisions\/0\/\d+, INVALID_EVENT/)
  expect(await retryDeadLetters(catalog, [])).toMatchObject([{ result: 'recorded' }])
  expect(await own()).toMatchObject({ state: 'ok' })
})
