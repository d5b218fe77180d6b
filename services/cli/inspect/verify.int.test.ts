import type { Catalog } from '@catalog/operations/catalog.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog, type TestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { readVerified, type Verified } from '@catalog/store/builds/verify.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { status } from './status.ts'
import { verifyNightly, verifyOnce, verifyTables } from './verify.ts'

const NIGHTS_WAIT_MS = 30_000
const POLL_MS = 50

let opened: TestCatalog
let folder: string
let catalog: Catalog
const env = () => readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent', VERIFY_CRON: '* * * * * *' })
beforeAll(async () => {
  opened = await openTestCatalog()
  folder = opened.folder
  catalog = opened.catalog
  await tell(catalog, [registration(), observation()])
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
})

const shownStatus = async () => {
  const { heard, terminal } = listening()
  await status(catalog, terminal)
  return { ...(heard.answers[0] as { verified: Verified | null }), text: heard.text }
}
const signal = new AbortController().signal
const forgotten = () => catalog.store.query(`delete from meta where key = 'verified'`)
const trusted = (score: number) => catalog.store.query('update sources set trust_score = $1', [score])

describe('a comparison of `catalog verify`', () => {
  test('is reported, stored and shown by status', async () => {
    expect((await shownStatus()).verified).toBeNull()
    expect((await shownStatus()).text).toMatch(/\nverified never$/)
    const { heard, terminal } = listening()
    expect(await verifyTables(catalog, terminal)).toBe(true)
    expect(heard.answers[0]).toMatchObject({ ok: true, positions: { 'catalog.decisions': { 0: '1' } } })
    expect(heard.text).toMatch(/^CHECK +HOLDS +LOG +TABLES +MEANWHILE\nvendor root +yes +[0-9a-f]{64}/)
    const { verified, text } = await shownStatus()
    expect(verified).toMatchObject({ ok: true, first_difference: null, positions: { 'catalog.items': { 0: '0' } } })
    expect(text).toMatch(/\nverified \d{4}-\S+, in \d+(\.\d)? s: the tables are what the log gives$/)
  })

  test('runs once a night among several processes', async () => {
    await forgotten()
    const due = new Date()
    const both = await Promise.all([1, 2].map(() => verifyOnce({ catalog, signal }, { due, rate: 0 })))
    expect(both.filter((verified) => verified !== undefined)).toHaveLength(1)
    expect(await verifyOnce({ catalog, signal }, { due, rate: 0 })).toBeUndefined()
  })

  test('reports a lasting difference every night, and the process goes on', async () => {
    await trusted(99)
    const stopping = new AbortController()
    const staying = verifyNightly({ catalog, env: env(), terminal: listening().terminal, signal: stopping.signal })
    const nights = new Set<string>()
    const toldNights = async () => {
      const verified = await readVerified(catalog.store)
      if (verified?.ok === false) nights.add(verified.at)
      return nights.size
    }
    await expect.poll(toldNights, { interval: POLL_MS, timeout: NIGHTS_WAIT_MS }).toBeGreaterThan(1)
    const { text } = await shownStatus()
    expect(text).toMatch(/: NOT EQUAL: sources: src_\S+: the log gives trust_score 50, the tables trust_score 99$/)
    await trusted(50)
    stopping.abort()
    await staying
    await forgotten()
    expect((await verifyOnce({ catalog, signal }, { due: new Date(), rate: 0 }))?.ok).toBe(true)
  })

  test('never runs with VERIFY_CRON=off', async () => {
    const stopping = new AbortController()
    const off = readEnvironment({ CATALOG_DATA: folder, VERIFY_CRON: 'off', LOG_LEVEL: 'silent' })
    const staying = verifyNightly({ catalog, env: off, terminal: listening().terminal, signal: stopping.signal })
    stopping.abort()
    await staying
  })
})
