import { SOURCE_ALIASES } from '@catalog/cli/review/decision-lists.ts'
import { PAIRS, SPELLINGS } from '@catalog/cli/review/review-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { aliasSource } from '@catalog/operations/decisions/source-aliases.ts'
import { acceptSpellings, rejectSpelling } from '@catalog/operations/decisions/vendor-spellings.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { heardOf } from '@catalog/stack/testing/cli.ts'
import { registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { readSources } from '@catalog/store/vendor/sources.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const path = await pathOfFile()
const { store, log, project: catchUp } = path
const catalog = { store, log, catchUp, now: () => new Date('2026-01-10T12:00:00Z') } as unknown as Catalog
beforeEach(async () => {
  await path.reset()
  await path.append([
    registration({ vendor: 'Milestone LP', trust: 60 }),
    registration({ vendor: 'MILESTONE, L.P.' }),
    registration({ vendor: 'Milestone' }),
    registration({ vendor: 'Walsh Inc.' }),
    registration({ vendor: 'Walsh, Inc', region: 'MX' }),
  ])
})

const idOf = (vendor: string) => sourceNamed(vendor).id
type Heard = { pairs: unknown[]; aliases: object[]; cursor: string | null }
const alias = (source: string, canonical?: string) =>
  heardOf<Heard>(() =>
    aliasSource(catalog, {
      source,
      reason: 'one licence',
      ...(canonical === undefined ? { remove: true } : { canonical }),
    }),
  )
const aliases = (options: { after?: string; limit?: number } = {}) =>
  heardOf<Heard>((terminal) => showList(SOURCE_ALIASES, { catalog, terminal }, { limit: 50, ...options }))
const spellings = (options: { after?: string; limit?: number } = {}) =>
  heardOf<Heard>((terminal) => showList(SPELLINGS, { catalog, terminal }, { limit: 50, ...options }))
const accept = (pair: string[], all = false) =>
  heardOf<Heard>(() => acceptSpellings(catalog, { pair, all, reason: 'same company' }))
const reject = (a: string, b: string) =>
  heardOf<Heard>(() => rejectSpelling(catalog, { a, b, reason: 'two companies' }))

describe('catalog sources alias', () => {
  test('lists chains by their end, in pages, and what was taken back', async () => {
    await alias('MILESTONE, L.P.', 'Milestone LP')
    await alias('Milestone LP', 'Milestone')
    const { value, next } = await aliases()
    expect(value.aliases).toHaveLength(2)
    for (const row of value.aliases)
      expect(row).toMatchObject({ speaks_for_it: idOf('Milestone'), reason: 'one licence' })
    expect(next).toContain('catalog review sources')
    await alias('Milestone LP')
    const first = await aliases({ limit: 1 })
    const second = await aliases({ after: first.value.cursor ?? '' })
    const rows = [...first.value.aliases, ...second.value.aliases]
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(expect.objectContaining({ name: 'Milestone LP', canonical_id: null }))
    expect(rows).toContainEqual(
      expect.objectContaining({ name: 'MILESTONE, L.P.', speaks_for_it: idOf('Milestone LP') }),
    )
  })

  test('refuses circles, unknown sources, and what is not there, and appends nothing', async () => {
    await alias('MILESTONE, L.P.', 'Milestone LP')
    await alias('Milestone LP', 'Milestone')
    await expect(alias('Milestone', 'MILESTONE, L.P.')).rejects.toThrow('is an alias of it')
    await expect(alias('Milestone', 'Milestone')).rejects.toThrow('it is the same source')
    await expect(alias('Milestone', 'Nobody')).rejects.toThrow("source 'Nobody'")
    await expect(alias('Walsh Inc.')).rejects.toThrow('expected one in force')
    expect((await aliases()).value.aliases).toHaveLength(2)
  })

  test('shows in what readers see of a source', async () => {
    await alias('MILESTONE, L.P.', 'Milestone LP')
    const sourceOf = async (vendor: string) => (await readSources(path.store, { sourceId: idOf(vendor) }))[0]
    expect(await sourceOf('MILESTONE, L.P.')).toMatchObject({ alias_of: idOf('Milestone LP'), aliases: [] })
    expect(await sourceOf('Milestone LP')).toMatchObject({ alias_of: null, aliases: [idOf('MILESTONE, L.P.')] })
  })
})

describe('catalog review sources', () => {
  test('proposes spellings of one region, and catalog review counts them', async () => {
    const { value, text } = await spellings()
    const canonical = expect.objectContaining({ name: 'Milestone LP' })
    expect(value.pairs).toEqual([
      { source: expect.anything(), canonical },
      { source: expect.anything(), canonical },
    ])
    expect(text).toContain('may be Milestone LP')
    const review = await heardOf<Heard>((terminal) => showList(PAIRS, { catalog, terminal }, { limit: 50 }))
    expect(review.value).toMatchObject({ source_spellings: 2 })
    const first = await spellings({ limit: 1 })
    const second = await spellings({ after: first.value.cursor ?? '' })
    expect([...first.value.pairs, ...second.value.pairs]).toEqual(value.pairs)
    expect(second.value.cursor).toBeNull()
  })

  test('proposes no pair again that a person accepted or rejected', async () => {
    await accept(['MILESTONE, L.P.', 'Milestone LP'])
    expect((await spellings()).value.pairs).toHaveLength(1)
    await reject('Milestone', 'Milestone LP')
    expect((await spellings()).value.pairs).toEqual([])
    expect((await aliases()).value.aliases).toHaveLength(1)
  })

  test('accepts all at once, and refuses half a pair', async () => {
    await expect(accept(['Milestone'])).rejects.toThrow('expected SOURCE and CANONICAL')
    await expect(accept(['Milestone', 'Milestone LP'], true)).rejects.toThrow('or --all')
    await accept([], true)
    expect((await spellings()).value.pairs).toEqual([])
    expect((await aliases()).value.aliases).toHaveLength(2)
  })
})
