import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { observe, publish, testId } from '@catalog/stack/testing/api.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { analystViews } from '@catalog/store/builds/analyst.ts'
import { beforeAll, expect, test } from 'vitest'
import { type SqlFlags, sql } from './sql.ts'

const store = await storeOfFile()
beforeAll(async () => {
  await publish(store, { id: testId('ci_', 'cement'), name: 'Cement, "grey"' })
  await observe(store, { vendor_sku_id: testId('vsku_', 'cement'), observed_at: '2026-11-01T00:00:00Z', cents: 520 })
})

async function ask(query: string | undefined, flags: SqlFlags = {}, { typed = '', json = false } = {}) {
  const { heard, terminal } = listening({ json })
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const catalog = { store } as Catalog
  const isAnswered = await sql({ catalog, terminal, write, stdin: Readable.from([Buffer.from(typed)]) }, query, flags)
  return {
    isAnswered,
    written,
    notes: heard.notes,
    answer: heard.answers[0] as Record<string, unknown>,
    text: heard.text,
  }
}

test('answers a query as a table, as CSV and as JSON lines', async () => {
  const query = 'select name, median_cents from items;'
  expect((await ask(query)).written).toMatch(/NAME\s+MEDIAN_CENTS\n\s*Cement, "grey"/)
  expect((await ask(query, { format: 'csv' })).written).toMatch(/^name,median_cents\n"Cement, ""grey""",\d*\n$/)
  expect(JSON.parse((await ask(query, {}, { json: true })).written)).toMatchObject({ name: 'Cement, "grey"' })
  const large = await ask('select 9007199254740993::bigint as n, 12.50::numeric as d', { format: 'json' })
  expect(JSON.parse(large.written)).toEqual({ n: '9007199254740993', d: '12.50' })
})

test('reports the position of an error and fails', async () => {
  expect(await ask('select nam from items')).toMatchObject({
    isAnswered: false,
    notes: [expect.stringMatching(/column "nam" does not exist at character 8/)],
  })
  const { isAnswered, notes } = await ask('delete from items')
  expect([isAnswered, notes]).toEqual([false, [expect.stringContaining('syntax error')]])
  expect((await ask('select count(*)::int as n from items', { format: 'json' })).written).toBe('{"n":1}\n')
  const { answer, notes: none } = await ask('select', {}, { json: true })
  expect([answer, none]).toEqual([{ error: 'QueryRefused', details: expect.any(String) }, []])
})

test.each([
  'select 1; commit; create table written (a int)',
  'select 1; select 2',
  'select 1; set transaction read write; create table written (a int)',
])('runs one statement, and writes nothing: %s', async (query) => {
  const refused = await ask(query)
  expect(refused.isAnswered).toBe(false)
  expect(refused.notes.join()).toContain('cannot insert multiple commands into a prepared statement')
  expect(await store.query(`select from information_schema.tables where table_name = 'written'`)).toEqual([])
})

test.each(["select set_config('transaction_read_only', 'off', true)", 'delete from meta returning 1'])(
  'stays read-only: %s',
  async (query) => {
    expect((await ask(query)).isAnswered).toBe(false)
  },
)

test('truncates rows at the limit and says so', async () => {
  const { written, notes } = await ask('select generate_series(1, 10) as n', { limit: 3, format: 'csv' })
  expect([written, notes]).toEqual(['n\n1\n2\n3\n', ['the first 3 rows; --limit shows more']])
})

test('reads a query of several lines from the standard input', async () => {
  const typed = 'select count(*)::int as n\nfrom observations;\n'
  expect((await ask(undefined, { format: 'csv' }, { typed })).written).toBe('n\n1\n')
  await expect(ask(undefined, {}, { typed: ' '.repeat(100_001) })).rejects.toThrow('more than 100000 characters')
})

test('docs/sql.md lists every view with its columns', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sql.md'), 'utf8')
  for (const { name, about, columns } of analystViews()) {
    const listed = Object.keys(columns)
      .map((column) => `\`${column}\``)
      .join(', ')
    expect(page).toContain(`\n| \`${name}\` | ${about} | ${listed} |\n`)
  }
  expect((await ask(undefined, { views: true })).answer).toMatchObject({ views: { length: analystViews().length } })
})
