import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawlSources, selectSources } from '@catalog/cli/crawl/source-crawls.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { folderOf } from '@catalog/crawler/presets/presets.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import { ensurePreset } from '@catalog/operations/sources/presets.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog, type TestCatalog } from '@catalog/stack/testing/cli.ts'
import { readLicence } from '@catalog/store/vendor/sources.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPreset, saidOf } from './add-preset.ts'
import { listPresets, showPreset } from './list-presets.ts'
import { crawledText } from './preset-text.ts'
import { testPresets } from './test-presets.ts'

let opened: TestCatalog
let env: Environment
let runs = 0
beforeAll(async () => {
  opened = await openTestCatalog()
})
afterAll(() => opened?.[Symbol.asyncDispose]())
beforeEach(() => {
  env = { ...opened.env, CATALOG_SOURCES: join(opened.folder, `sources-${++runs}.yaml`) }
})

const HEADINGS =
  'EDIZIONE;SEQUENZA;CODICE_TOTALE;CODICE_SEZIONE;SEZIONE;NOTE_SEZIONE;ID_PROPOSTA;CODICE_CAPITOLO;CAPITOLO;NOTE_CAPITOLO;SEQ_CAPITOLO;CODICE_ARTICOLO;ARTICOLO;NOTE_ARTICOLO;CODICE_SUBARTICOLO;SUBARTICOLO;SIMBOLO;PREZZO_LORDO;INCIDENZA_MANODOPERA;SOMMA_MANODOPERA'
/** A list of Piemonte with this many works, each in this unit. */
function listOf(works: number, { unit = 'm²', headings = HEADINGS } = {}): string {
  const rows = Array.from({ length: works }, (_, n) => {
    const code = `01.A${String(n).padStart(4, '0')}`
    return `2023;${n};${code};1;Opere;;1;A01;MURI;;1;B1;Muratura di tipo ${n};;1;spessore cm ${10 + (n % 30)};${unit};${10 + n},5;;`
  })
  return [headings, ...rows, ''].join('\n')
}
function write(text: string): string {
  const path = join(opened.folder, `list-${runs}.csv`)
  writeFileSync(path, text)
  return path
}

// biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
type Answered = Readonly<{ value: any; text: string; notes: string; next: string; result: unknown }>
async function answer(work: (context: Context) => Promise<unknown>): Promise<Answered> {
  const { heard, terminal } = listening({ json: false })
  const result = await work({ catalog: opened.catalog, env, terminal, signal: new AbortController().signal })
  return { value: heard.answers[0], text: heard.text, notes: heard.notes.join('\n'), next: heard.next, result }
}
const add = (id: string, pairs: readonly string[], file: string | undefined, yes = true) =>
  answer((context) => addPreset(context, { id, said: saidOf(pairs), file, yes, prompt: null }))
const crawl = async (name: string) => {
  const { value } = await answer(async (context) => {
    const file = await readSources(env)
    const [report] = await crawlSources(context, { specs: selectSources(file, [name]), file })
    context.terminal.answer(report, () => '')
  })
  return value
}
const piemonte = (file: string) => add('it-piemonte', [], file)
const written = () => readFileSync(env.CATALOG_SOURCES, 'utf8')

describe('a preset', () => {
  test('becomes a source that records its list with its licence', async () => {
    const added = await piemonte(write(listOf(1_200)))
    expect(added.result).toBe(true)
    expect(added.notes).toMatch(/licence: CC-BY-4\.0[\s\S]*1200 records read, 1200 would be recorded/)
    expect(added.next).toBe('catalog crawl --source it-piemonte')
    expect(written()).toContain('redistribution: yes')
    expect(await crawl('it-piemonte')).toMatchObject({ outcome: 'recorded', read: 1_200, appended: 1_200 })
    expect(await readLicence(opened.catalog.store, 'it-piemonte')).toMatchObject({
      name: 'CC-BY-4.0',
      attribution: 'Regione Piemonte, prezzario regionale',
    })
  })

  test('is shown and not written without --yes, and not added where nothing would be recorded', async () => {
    const path = write(listOf(20))
    const shown = await add('it-piemonte', [], path, false)
    expect([shown.result, shown.value.written]).toEqual([true, false])
    expect(shown.text).toContain('to be added with --yes')
    const broken = await piemonte(write(listOf(20, { headings: HEADINGS.replace('PREZZO_LORDO', 'PREZZO') })))
    expect([broken.result, broken.value.written]).toEqual([false, false])
    expect(() => written()).toThrow(/ENOENT/)
  })

  test.each<[string, () => string, string]>([
    ['a column renamed', () => listOf(1_200, { headings: HEADINGS.replace('PREZZO_LORDO', 'PREZZO') }), 'NO_COLUMN'],
    ['few records', () => listOf(12), 'TOO_FEW_RECORDS'],
    ['unknown units', () => listOf(1_200, { unit: 'qxz' }), 'UNKNOWN_UNITS'],
  ])('holds a crawl of a list with %s, and says why', async (_what, text, code) => {
    await piemonte(write(listOf(1_200)))
    write(text())
    const report = await crawl('it-piemonte')
    expect(report.outcome).toBe('held')
    expect(JSON.stringify([report.problems, report.parked])).toContain(code)
  })

  test('refuses a file of another state, with the row and the pattern that it misses', async () => {
    const [name, folder] = ['SINAPI_Preco_Ref_Insumos_PA_202412_NaoDesonerado.xlsx', folderOf('br-sinapi-inputs-2024')]
    const of = (state: string) => add('br-sinapi-inputs-2024', [`state=${state}`], join(folder, name))
    const { notes: own } = await of('PA')
    expect(own).toContain('8 records read, 8 would be recorded')
    // The list tells its month.
    expect(own).toMatch(/ EDITION\n41001 .* 2024-12-01T00:00:00Z {2}2024-12\n/)
    const { result, notes } = await of('SP')
    expect(result).toBe(false)
    expect(notes).toContain(
      `nothing would be recorded: the mapping leaves out every row. Its rows drop 9, for example ${name} line 8, ` +
        `_file: '${name}', expected to match (?i)_SP_[0-9]{6}_NaoDesonerado`,
    )
  })

  test('says before the first crawl that it would be held, and is added once', async () => {
    const file = write(listOf(12))
    const { notes, next } = await piemonte(file)
    expect(notes).toMatch(/\n\nA crawl would be held: 12 records, expected at least \d+ \(health\.records_min\)/)
    expect(next).toBe('catalog crawl --source it-piemonte')
    expect((await crawl('it-piemonte')).outcome).toBe('held')
    await expect(piemonte(file)).rejects.toThrow(
      / has it-piemonte already: .* then catalog crawl --source it-piemonte; /,
    )
  })

  test('names a held crawl by what waits, and another by what it recorded', () => {
    const counts = { read: 6, appended: 5 }
    expect(crawledText({ outcome: 'held', ...counts })).toBe('held, 6 records read, 5 wait for your decision')
    expect(crawledText({ outcome: 'recorded', ...counts })).toBe('recorded, 6 records read, 5 recorded')
  })

  test('is added once by catalog up, and a source that stands there stays', async () => {
    const asked = { id: 'it-piemonte', said: {}, file: write(listOf(3)) }
    expect(await ensurePreset(env, asked)).toMatchObject({ isAdded: true, spec: { id: 'it-piemonte' } })
    const before = written()
    expect(await ensurePreset(env, asked)).toMatchObject({ isAdded: false, spec: { id: 'it-piemonte' } })
    expect(written()).toBe(before)
  })

  test.each<[string, readonly string[], string | undefined, string]>([
    ['it-piemont', [], undefined, "preset 'it-piemont': expected one of"],
    ['it-piemonte', ['edition'], undefined, "--param 'edition': expected NAME=VALUE"],
    ['it-piemonte', [], 'x.csv', "--file 'x.csv': expected a file that can be read"],
    ['it-piemonte', [], undefined, 'preset it-piemonte: expected --file PATH'],
  ])('is refused: %s %j %s', async (id, pairs, file, message) => {
    await expect(async () => add(id, pairs, file)).rejects.toThrow(message)
  })
})

describe('catalog presets', () => {
  test('lists them by region, shows one, and tests their samples', async () => {
    const listed = (await answer(({ terminal }) => listPresets(terminal, { region: 'it' }))).value.presets
    expect(listed.map(({ id }: { id: string }) => id)).toContain('it-piemonte')
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain('us-txdot-bids')
    await expect(answer(({ terminal }) => listPresets(terminal, { region: 'XX' }))).rejects.toThrow(
      /^--region 'XX': no preset; expected one of AR, BR, .*\bIT\b.*, US, or a subdivision of one$/,
    )
    const shown = await answer(({ terminal }) => showPreset(terminal, 'it-piemonte'))
    expect(shown.text).toContain('--file PATH: ')
    expect(shown.next).toBe('catalog sources add --preset it-piemonte --file PATH')
    const tested = await answer((context) => testPresets(context, ['it-piemonte']))
    expect([tested.result, tested.value.presets]).toEqual([
      true,
      [{ id: 'it-piemonte', records: 6, parked: 1, wrong: [] }],
    ])
  })
})
