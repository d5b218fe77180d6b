import { UNIT_ALIASES, UNKNOWN_UNITS } from '@catalog/cli/review/decision-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { aliasUnit } from '@catalog/operations/decisions/units.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { heardOf } from '@catalog/stack/testing/cli.ts'
import { observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const NOON = '2026-01-10T12:00:00Z'
const path = await pathOfFile()
const { store, log, project: catchUp } = path
const catalog = { store, log, catchUp, now: () => new Date(NOON) } as unknown as Catalog
beforeEach(async () => {
  await path.reset()
  await path.append([
    ...['A', 'B'].map((vendor) => registration({ vendor })),
    observation({ vendor: 'A', ref: '1', unit: 'tramex', name: 'Grating' }),
    observation({ vendor: 'A', ref: '2', unit: 'TRAMEX', name: 'Tread' }),
    observation({ vendor: 'B', ref: '1', unit: 'Tramex' }),
    observation({ vendor: 'B', ref: '2', unit: 'M.G.', name: 'Water' }),
    observation({ vendor: 'B', ref: '3', unit: 'bag', more: { pack: { quantity: '25', unit: 'kgx' } } }),
    observation({ vendor: 'B', ref: '4', unit: 'mg' }),
    observation({ vendor: 'B', ref: '4', unit: 'kg', at: '2026-01-06T06:00:00Z' }),
    observation({ vendor: 'B', ref: '5', unit: 'kg' }),
  ])
})

type Heard = { units: { unit: string }[]; aliases: unknown[]; cursor: string | null }
const unknown = (options: { after?: string; limit?: number } = {}) =>
  heardOf<Heard>((terminal) => showList(UNKNOWN_UNITS, { catalog, terminal }, { limit: 50, ...options }))
const alias = (unit: string, options: { canonical?: string; source?: string; remove?: boolean }) =>
  heardOf<Heard>(() => aliasUnit(catalog, { unit, reason: 'asked them', ...options }))

describe('catalog units unknown', () => {
  test('lists what is open now, with counts, sources and an example, most SKUs first', async () => {
    const { value, text } = await unknown()
    expect(value).toMatchObject({
      units: [
        {
          reason: 'SPELLING',
          skus: 3,
          observations: 3,
          sources: [
            { name: 'A', skus: 2 },
            { name: 'B', skus: 1 },
          ],
        },
        { unit: 'M.G.', reason: 'DOTTED', skus: 1, example: 'Water' },
        { unit: 'kgx', reason: 'SPELLING', skus: 1 },
      ],
      cursor: null,
    })
    expect(text).toContain('dots: no small metric unit')
  })

  test('gives the next page after the cursor, and refuses another place', async () => {
    const { value, text } = await unknown({ limit: 2 })
    expect([value.units.length, value.cursor]).toEqual([2, 'M.G.'])
    expect(text).toContain('more: catalog units unknown --after "M.G."')
    const rest = await unknown({ limit: 2, after: value.cursor as string })
    expect([rest.value.units.map(({ unit }) => unit), rest.value.cursor]).toEqual([['kgx'], null])
    await expect(unknown({ after: 'kg' })).rejects.toThrow("--after 'kg': expected an unknown unit")
  })
})

describe('catalog units alias', () => {
  test('closes a spelling in one source, then in all, and opens it again', async () => {
    await alias('tramex', { canonical: 'm2', source: 'A' })
    expect((await unknown()).value.units).toMatchObject([{}, { unit: 'Tramex', skus: 1 }, {}])
    const { text } = await alias('Tra mex.', { canonical: 'sheet' })
    expect(text).toBe("'Tra mex.' means sheet in all sources")
    await alias('kgx', { canonical: 'kg' })
    expect((await unknown()).value.units.map(({ unit }) => unit)).toEqual(['M.G.'])
    await alias('TRAMEX', { remove: true })
    expect((await unknown()).value.units).toMatchObject([{}, { unit: 'Tramex' }])
    const { value } = await heardOf<Heard>((terminal) => showList(UNIT_ALIASES, { catalog, terminal }, { limit: 50 }))
    expect(value.aliases).toMatchObject([
      { unit: 'kgx', canonical: 'kg', source_id: null },
      { unit: 'TRAMEX', canonical: null, source_id: null, reason: 'asked them' },
      { unit: 'tramex', canonical: 'm²', source_id: sourceNamed('A').id },
    ])
  })

  test('lists aliases by pages', async () => {
    for (const unit of ['a1', 'a2', 'a3']) await alias(unit, { canonical: 'kg' })
    const page = (after?: string) =>
      heardOf<Heard>((terminal) =>
        showList(UNIT_ALIASES, { catalog, terminal }, { limit: 2, ...(after !== undefined && { after }) }),
      )
    const { value } = await page()
    expect([value.aliases.length, value.cursor]).toEqual([2, 'a2 *'])
    expect((await page('a2 *')).value).toMatchObject({ aliases: [{ unit: 'a3' }], cursor: null })
  })

  test('says when nobody writes the unit, or when it is known otherwise', async () => {
    expect((await alias('frob', { canonical: 'm²' })).notes).toEqual(["no vendor writes 'frob' yet"])
    expect((await alias('kg', { canonical: 't' })).notes).toEqual(["'kg' is kg otherwise; the alias outranks that"])
  })

  test.each([
    ['frob', { canonical: 'mg' }, "unit 'mg': expected a unit that prices are per"],
    ['frob', {}, "alias of 'frob': expected a unit that it means, such as m², or --remove"],
    ['frob', { canonical: 'kg', remove: true }, 'or --remove'],
    ['frob', { remove: true }, "alias of 'frob': expected one in force"],
    [' . ', { canonical: 'kg' }, "unit ' . ': expected a spelling"],
    ['frob', { canonical: 'kg', source: 'Nobody' }, "source 'Nobody': expected an id or a name"],
  ])('refuses %j with %j', async (unit, options, message) => {
    await expect(alias(unit, options)).rejects.toThrow(message)
  })
})
