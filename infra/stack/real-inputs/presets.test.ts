import { existsSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { previewSource } from '@catalog/crawler/crawls/preview-source.ts'
import { readPreset } from '@catalog/crawler/presets/presets.ts'
import { specOfPreset } from '@catalog/crawler/presets/test-preset.ts'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { fileDeps } from '@catalog/stack/testing/fixtures.ts'
import { describe, expect, test } from 'vitest'

/** Excerpts of real price lists, read by the presets that describe them. The truth was written by hand from the excerpts. */
const folder = realInputsFolder()
const lists = folder === null ? '' : join(folder, 'public-lists')
const isThere = folder !== null && existsSync(lists)
const suite = `presets of real price lists${isThere ? '' : ' (public-lists of REAL_INPUTS_DIR: none here)'}`

type Truth = Readonly<{
  preset: string
  file: string
  said?: Readonly<Record<string, string>>
  records: number
  parked: number
  /** EUR where absent. */
  currency?: string
  /** bank where absent. */
  kind?: string
  /** One record, its price and how its name ends. */
  one: readonly [ref: string, unit: string, price: number, nameEnd: string]
}>

const TRUTHS: readonly Truth[] = [
  {
    preset: 'es-bcca-json',
    file: 'es-bcca-cerp/cimentaciones.json',
    records: 181,
    parked: 0,
    one: ['03ACC00010', 'kg', 1.35, 'B400S EN CIMENT.'],
  },
  {
    preset: 'it-campania',
    file: 'it-campania-2024/campania_2024.csv',
    said: { edition: '2024' },
    records: 3,
    parked: 0,
    one: ['A00.020.200.B', 'ml', 252.5, 'oltre un 1 metro'],
  },
  {
    preset: 'it-piemonte',
    file: 'it-piemonte-2023/piemonte_2023.csv',
    records: 3,
    parked: 0,
    one: ['08.P25.F83.010', 'cad', 501.4, 'BASE SEMISFERICA - H 100 CM'],
  },
  {
    preset: 'it-puglia',
    file: 'it-puglia-2026/puglia_2026.csv',
    said: { edition: '2026' },
    records: 4,
    parked: 0,
    one: ['01.E01.001.001', 'm³', 8.63, 'con trovanti fino ad 1 mc)'],
  },
  {
    preset: 'it-toscana',
    file: 'it-toscana-2025/toscana_firenze_2025.xml',
    said: { province: 'firenze' },
    records: 2,
    parked: 0,
    one: ['01.A03.001.001', 'm³', 13.63017, 'in latero-cemento.'],
  },
  {
    preset: 'it-veneto',
    file: 'it-veneto-2026/veneto_2026.xml',
    records: 3,
    parked: 0,
    one: ['01.03.01.b', 'm³', 41.88, 'CON TERRA SCIOLTA'],
  },
  {
    preset: 'it-lombardia',
    file: 'it-lombardia-2026/lombardia_2026.xml',
    records: 2,
    // A heading of variants, priced at 0.00.
    parked: 1,
    one: ['OC.EEA.Pa01.C0625.Sb010.0000.-', 'cad', 310.62, 'impiego: piscine.'],
  },
  {
    preset: 'it-lazio',
    file: 'it-lazio-2023/lazio_2023_parte_a.csv',
    records: 5,
    // "per ogni livello di lettura" has no price.
    parked: 1,
    one: ['A|1.01.1', 'cad', 1826.34, 'il personale necessario.'],
  },
  {
    preset: 'br-sinapi-inputs-2024',
    file: 'sinapi-pa-2024-12/SINAPI_Preco_Ref_Insumos_PA_202412_NaoDesonerado.xlsx',
    said: { state: 'PA' },
    records: 4_839,
    parked: 0,
    currency: 'BRL',
    one: ['412', 'UN', 1.38, 'DE *230* X *7,6* MM'],
  },
  {
    preset: 'br-sinapi-inputs',
    file: 'br-sinapi-2025-layout/SINAPI_Referência_2026_09.synthetic.xlsx',
    said: { state: 'TO' },
    // One of the three inputs has no price there.
    records: 2,
    parked: 1,
    currency: 'BRL',
    one: ['6111', 'H', 20.87, 'SERVENTE DE OBRAS (HORISTA)'],
  },
  {
    preset: 'br-sinapi-works',
    file: 'br-sinapi-2025-layout/SINAPI_Referência_2026_09.synthetic.xlsx',
    said: { state: 'TO' },
    records: 2,
    parked: 0,
    currency: 'BRL',
    one: ['94964', 'M3', 451.97, 'CONCRETO MAGRO'],
  },
  {
    preset: 'us-txdot-averages',
    file: 'us-txdot/houston_low_bid_avg.csv',
    records: 15,
    parked: 0,
    currency: 'USD',
    kind: 'bid',
    one: ['168-7001|TGL', '1000 US gal', 16.84, 'VEGETATIVE WATERING'],
  },
  {
    preset: 'us-txdot-bids',
    file: 'us-txdot/soda_rows_layout.json',
    records: 3,
    parked: 0,
    currency: 'USD',
    kind: 'bid',
    one: ['0000-00-001|500-7001|20', 'lump sum', 25_000, 'MOBILIZATION'],
  },
]

describe.skipIf(!isThere)(suite, () => {
  test.each(TRUTHS.map((truth) => [truth.preset, truth] as const))('%s', async (_preset, truth) => {
    await using crawls = await mkdtempDisposable(join(tmpdir(), 'presets-'))
    const preset = await readPreset(truth.preset)
    const spec = specOfPreset(preset, { said: truth.said ?? {}, file: join(lists, truth.file) })
    const { preview, problems } = await previewSource(spec, fileDeps(crawls.path), { count: 5_000 })
    expect(problems).toEqual([])
    const [ref, unit, price, nameEnd] = truth.one
    const one = preview?.observations.find(({ vendor_ref }) => vendor_ref === ref)
    const { currency = 'EUR', kind = 'bank' } = truth
    expect(one).toMatchObject({ unit, price: { currency, kind } })
    expect((one?.price.cents ?? 0) / (one?.price.per_quantity ?? 1) / 100).toBeCloseTo(price, 6)
    expect(one?.name.endsWith(nameEnd), one?.name).toBe(true)
    expect([preview?.observations.length, preview?.parked.length]).toEqual([truth.records, truth.parked])
  })
})
