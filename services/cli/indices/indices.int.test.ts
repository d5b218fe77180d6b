import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPresets, showPreset } from '@catalog/cli/presets/list-presets.ts'
import { testPresets } from '@catalog/cli/presets/test-presets.ts'
import { indexFolderOf } from '@catalog/crawler/indices/index-preset.ts'
import { retract } from '@catalog/operations/decisions/retract.ts'
import { findIndex } from '@catalog/operations/find-index.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { readIndexPoints, readIndices } from '@catalog/store/indices/index-points.ts'
import { readLicence, readSources } from '@catalog/store/vendor/sources.ts'
import { describe, expect, test } from 'vitest'
import { type ImportIndexFlags, importIndexFile } from './import-file.ts'
import { listIndices } from './indices.ts'

const opened = closedAfterAll(await openTestCatalog())

const SAMPLE = join(indexFolderOf('us-bls-ppi'), 'sample.json')
async function imported(path: string, flags: ImportIndexFlags = { preset: 'us-bls-ppi' }) {
  const { heard, terminal } = listening()
  await importIndexFile({ catalog: opened.catalog, terminal }, path, flags)
  return { answer: heard.answers[0], ...heard }
}
async function listed(options: { region?: string; after?: string; limit?: number } = {}) {
  const { heard, terminal } = listening()
  const { region, after, limit = 50 } = options
  await listIndices(
    { catalog: opened.catalog, terminal },
    { ...(region !== undefined && { region }), ...(after !== undefined && { after }), limit: String(limit) },
  )
  return heard.answers[0] as {
    indices: { index_id: string; series: string; last_value: string }[]
    after: string | null
  }
}

describe('catalog indices', () => {
  test('import records a file once, with the licence of its publisher, and no source, item or observation', async () => {
    expect(await imported(SAMPLE, { preset: 'us-bls-ppi', dryRun: true })).toMatchObject({
      answer: { dry_run: true, series: [{ appended: 2 }, { appended: 1 }] },
    })
    expect((await listed()).indices).toEqual([])
    const { answer } = await imported(SAMPLE)
    expect(answer).toMatchObject({ read: 6, other_series: 1, other_frequency: 1, without_value: 1 })
    expect((await imported(SAMPLE)).answer).toMatchObject({ series: [{ appended: 0 }, { appended: 0 }] })
    expect((await listed()).indices.map(({ series, last_value }) => [series, last_value]).sort()).toEqual([
      ['WPU0811', '211.4'],
      ['WPUSI012011', '304.125'],
    ])
    const { store } = opened.catalog
    expect(await readLicence(store, 'us-bls')).toMatchObject({ redistribution: 'yes' })
    expect(await readSources(store, { after: undefined, limit: 10 })).toEqual([])
    expect(await readCounts(store)).toMatchObject({ sources: 0, vendor_skus: 0, observations: 0, items: 0, parked: 0 })
  })

  test('list goes on after the last, and filters by region', async () => {
    const first = await listed({ limit: 1 })
    expect(first.indices).toHaveLength(1)
    const second = await listed({ limit: 1, after: first.after as string })
    expect([second.indices.length, second.after]).toEqual([1, null])
    expect((await listed({ region: 'us' })).indices).toHaveLength(2)
    expect((await listed({ region: 'DE' })).indices).toEqual([])
  })

  test('a revision is a newer fact, and a retraction of its import brings the older one back', async () => {
    const { catalog, folder } = opened
    const path = join(folder, 'revised.json')
    writeFileSync(path, readFileSync(SAMPLE, 'utf8').replace('304.125', '305.5'))
    const { answer } = await imported(path)
    expect(answer).toMatchObject({ series: [{ appended: 1, revised: 1 }, { appended: 0 }] })
    const { index_id } = await findIndex(catalog, { option: 'index', given: 'WPUSI012011' })
    const december = async () => (await readIndexPoints(catalog.store, index_id)).at(-1)
    expect(await december()).toMatchObject({ period: '2025-12', value: '305.5', revisions: 1 })
    const crawl = (answer as { crawl_id: string }).crawl_id
    const { said } = await retract(catalog, { crawl, reason: 'another file', dryRun: false })
    expect(said).toContain('retracted 1 index point')
    expect(await december()).toMatchObject({ value: '304.125', revisions: 0 })
    // The publisher is no source of prices, and is retracted by its name all the same.
    await retract(catalog, {
      source: 'U.S. Bureau of Labor Statistics',
      reason: 'all of it',
      dryRun: false,
    })
    expect(await readIndices(catalog.store, { after: undefined, limit: 10 })).toEqual([])
  })

  test.each<[string, ImportIndexFlags, string]>([
    ['nothing.json', { preset: 'us-bls-ppi' }, "'nothing.json': expected a file that can be read"],
    [SAMPLE, {}, 'expected either --preset ID or --mapping FILE'],
    [SAMPLE, { preset: 'us' }, "index preset 'us': expected one of"],
    [SAMPLE, { preset: 'ar-indec-icc' }, 'sample.json: expected the columns indice_tiempo'],
    [SAMPLE, { preset: 'us-bls-ppi', observedAt: 'today' }, "--observed-at 'today'"],
  ])('import of %s with %j is refused', async (path, flags, message) => {
    await expect(imported(path, flags)).rejects.toThrow(message)
  })

  test('an unknown index is refused with those that exist', async () => {
    await imported(SAMPLE)
    await expect(findIndex(opened.catalog, { option: '--carry-forward', given: 'BT01' })).rejects.toThrow(
      /^--carry-forward 'BT01': expected an id, a code or a title: /,
    )
  })
})

describe('catalog presets', () => {
  test('lists indices marked as such, shows one, and tests its sample', async () => {
    const { heard, terminal } = listening({ json: false })
    await listPresets(terminal, { region: 'FR' })
    expect(heard.answers).toMatchObject([{ presets: [], indices: [{ id: 'fr-insee-bt' }] }])
    expect(heard.text).toMatch(/fr-insee-bt +FR +index/)
    const shown = listening({ json: false })
    await showPreset(shown.terminal, 'fr-insee-bt')
    expect(shown.heard.text).toContain('index, which is no price:')
    const tested = listening()
    const { env } = opened
    const context = { env, terminal: tested.terminal, signal: new AbortController().signal }
    expect(await testPresets(context, ['fr-insee-bt'])).toBe(true)
    expect(tested.heard.answers).toMatchObject([{ presets: [{ id: 'fr-insee-bt', records: 3, wrong: [] }] }])
  })
})
