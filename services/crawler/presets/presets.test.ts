import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileDeps } from '@catalog/stack/testing/fixtures.ts'
import { describe, expect, test } from 'vitest'
import type { Preset } from './preset-schema.ts'
import { openParameters, sourceOfPreset, valuesOf } from './preset-source.ts'
import { folderOf, parsePreset, readPreset, readPresets } from './presets.ts'
import { specOfPreset, testPreset } from './test-preset.ts'

const PRESETS = await readPresets()

const TEXT = `
preset: 1
id: xx-list
title: List
publisher: Publisher
website: https://publisher.example/
about: Prices.
parameters:
  state: { about: a state, values: { SP: BR-SP, PA: BR-PA } }
  year: { about: a year, values: ["2025", "2026"], default: "2026" }
licence: { checked_on: 2026-11-23, attribution: "Publisher {year}" }
file: { obtain: From the publisher. }
source:
  source: "Publisher {state}"
  region: "{state}"
  kind: bank
  mapping: { constants: { observed_at: "{year}-01-01" }, rows: { only: { "Price {year}": "^[0-9]{1}" } } }
test: { sample: sample.csv, expected: expected.jsonl, parameters: { state: SP } }
`
const parse = (text: string): Preset => parsePreset(text, { id: 'xx-list', place: 'preset.yaml' })

describe('each preset', () => {
  test.each(PRESETS.map((preset) => [preset.id, preset] as const))(
    '%s reads its sample as expected, by every value of its parameters',
    async (_id, preset) => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'presets-'))
      const tested = await testPreset(preset, folderOf(preset.id), fileDeps(folder.path))
      expect(tested.wrong).toEqual([])
      expect(tested.records).toBeGreaterThan(1)
      const file = preset.file === undefined ? undefined : 'list'
      for (const [name, { values }] of Object.entries(preset.parameters)) {
        for (const value of Array.isArray(values) ? values : Object.keys(values)) {
          const said = { ...preset.test.parameters, [name]: value }
          expect(specOfPreset(preset, { said, file }).id).toMatch(new RegExp(`^${preset.id}`))
        }
      }
    },
  )

  test.each(
    PRESETS.flatMap((preset) => {
      const named = Object.keys(preset.parameters).filter((name) => String(preset.source.id).includes(`{${name}}`))
      return named.map((name) => [preset.id, name, preset] as const)
    }),
  )('%s reads other prices, or none, by another %s', async (_id, name, preset) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'presets-'))
    const own = preset.test.parameters[name] ?? preset.parameters[name]?.default
    const others = valuesOf(preset, name).filter((value) => value !== own)
    expect(others.length).toBeGreaterThan(0)
    for (const value of [others[0], others.at(-1)]) {
      const parameters = { ...preset.test.parameters, [name]: value as string }
      const asked = { ...preset, test: { ...preset.test, parameters } }
      const tested = await testPreset(asked, folderOf(preset.id), fileDeps(folder.path))
      expect([value, tested.wrong.length > 0]).toEqual([value, true])
    }
  })

  test('is held by a least number of records and most parked ones, and states when its terms were read', () => {
    for (const preset of PRESETS) {
      const { id, health, quality, licence } = specOfPreset(preset, {
        said: preset.test.parameters,
        file: preset.file === undefined ? undefined : 'list',
      })
      expect([id, health.recordsMin]).not.toEqual([id, undefined])
      expect([id, quality?.parkedMax, quality?.unknownUnitsMax]).not.toContain(undefined)
      expect(licence?.checked_on).toMatch(/^20/)
    }
  })

  test('whose sample changes is wrong, with the record that differs', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'presets-'))
    const preset = await readPreset('it-piemonte')
    await cp(folderOf(preset.id), join(folder.path, 'copy'), { recursive: true })
    const sample = join(folder.path, 'copy', preset.test.sample)
    const text = await readFile(sample, 'utf8')
    const wrongOf = async (changed: string) => {
      await writeFile(sample, changed)
      return (await testPreset(preset, join(folder.path, 'copy'), fileDeps(folder.path))).wrong
    }
    expect((await wrongOf(text.replace('"PREZZO_LORDO"', '"PREZZO_NETTO"')))[0]).toMatch(/found none/)
    expect(await wrongOf(text.replace('"17,05"', '"17,06"'))).toEqual([
      expect.stringMatching(/^record 2: .*1705.*1706/),
    ])
    const [, second = ''] = text.split('\n')
    expect((await wrongOf(`${text}${second.replace('005', '999')}\n`)).at(-1)).toMatch(/^record that nobody expects/)
  })
})

describe('a preset', () => {
  test('becomes a source with the values of its parameters', () => {
    const source = sourceOfPreset(parse(TEXT), { said: { state: 'PA' }, file: 'lists/pa.csv' })
    expect(source).toMatchObject({
      source: 'Publisher BR-PA',
      region: 'BR-PA',
      mapping: { constants: { observed_at: '2026-01-01' }, rows: { only: { 'Price 2026': '^[0-9]{1}' } } },
      licence: { attribution: 'Publisher 2026', redistribution: 'unknown' },
      entry_points: [{ file: 'lists/pa.csv' }],
    })
    expect(openParameters(parse(TEXT), {})).toEqual(['state'])
  })

  test.each<[Readonly<Record<string, string>>, string | undefined, string]>([
    [{}, 'a.csv', "preset xx-list, parameter 'state' (a state): expected state=SP|PA"],
    [{ state: 'RJ' }, 'a.csv', "preset xx-list, parameter 'state': 'RJ': expected state=SP|PA"],
    [{ state: 'SP', month: '1' }, 'a.csv', "preset xx-list, parameter 'month': expected state, year"],
    [
      { state: 'SP' },
      undefined,
      'preset xx-list: expected --file PATH, since it has no certain address. From the publisher.',
    ],
  ])('refuses %j with file %s: what is expected', (said, file, message) => {
    expect(() => sourceOfPreset(parse(TEXT), { said, file })).toThrow(message)
  })

  test.each([
    ['preset: 1', 'preset: 2', "preset: '2': expected 1, the version of this format"],
    ['id: xx-list', 'id: other', "id: 'other': expected xx-list, the name of its folder"],
    [
      'file: { obtain: From the publisher. }\n',
      '',
      'expected either entry_points here, or file: { obtain: TEXT } beside it',
    ],
    ['title: List', 'titel: List', "titel: unknown key, expected 'title'?"],
    ['checked_on: 2026-11-23', 'checked_on: today', "licence.checked_on: 'today': expected the day"],
  ])('with %s as %j is refused', (from, to, message) => {
    expect(() => parse(TEXT.replace(from, to))).toThrow(message)
  })

  test('of an unknown id is refused with those that exist', async () => {
    await expect(readPreset('../lists')).rejects.toThrow(/^preset '\.\.\/lists': expected one of .*it-piemonte/)
  })
})
