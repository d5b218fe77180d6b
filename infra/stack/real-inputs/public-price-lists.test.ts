import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { describe, expect, test } from 'vitest'

/**
 * Official price lists, read by mappings alone. The truth tables were written by hand from the files: reference, last words of
 * the name, unit, price, day and edition of each record.
 */
const folder = realInputsFolder()
const lists = folder === null ? '' : join(folder, 'public-lists')
const isThere = folder !== null && existsSync(lists)
const suite = `official price lists${isThere ? '' : ' (public-lists of REAL_INPUTS_DIR: none here)'}`

type Read = Readonly<{
  rows: readonly string[]
  names: readonly string[]
  units: readonly boolean[]
  parked: readonly string[]
  detected: Detected | null
}>

async function read(list: string, ending: string, mapping: string): Promise<Read> {
  const name = readdirSync(join(lists, list)).find((each) => each.endsWith(ending)) as string
  const source = bytesSource(name, readFileSync(join(lists, list, name)))
  const rows: string[] = []
  const names: string[] = []
  const units: boolean[] = []
  const parked: string[] = []
  let detected: Detected | null = null
  const defaults = { source: list, notAfter: new Date('2027-01-01') }
  for await (const batch of readOutcomes(source, { mapping: parseMapping(mapping, list), defaults })) {
    detected = batch.detected
    for (const { result } of batch.outcomes) {
      if (!('content' in result)) {
        parked.push(result.reason)
        continue
      }
      const { vendor_ref, name: goods, unit, price, observed_at, lang } = result.content
      const amount = price.cents / price.per_quantity / 100
      rows.push(
        [
          vendor_ref,
          goods.split(' ').slice(-5).join(' '),
          unit,
          amount,
          observed_at.slice(0, 10),
          result.edition ?? '-',
        ].join(' | '),
      )
      names.push(goods)
      units.push(unit !== null && parseUnit(unit, { lang }) !== null)
    }
  }
  return { rows, names, units, parked, detected }
}

const italian = (rest: string) => `constants: { kind: bank, currency: EUR, region: IT, lang: it${rest} }`
const brazilian = 'constants: { kind: bank, currency: BRL, region: BR, lang: pt }'

describe.skipIf(!isThere)(suite, () => {
  test('SINAPI of a state, 12/2024: every input is recorded, and the footer dropped', {
    timeout: 120_000,
  }, async () => {
    const { rows, units, parked, detected } = await read(
      'sinapi-pa-2024-12',
      '.xlsx',
      `{ decimal: ",", edition: { cell: A3, format: MM/YYYY }, rows: { except: { CODIGO: "^TOTAL DE INSUMOS" } },
      columns: { vendor_ref: CODIGO, name: DESCRICAO DO INSUMO, unit: UNIDADE DE MEDIDA, price: PRECO MEDIANO R$ }, ${brazilian} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toHaveLength(4_839)
    expect(rows[1]).toBe('412 | DE *230* X *7,6* MM | UN | 1.38 | 2024-12-01 | 2024-12')
    expect(detected?.steps.rows).toMatchObject({
      count: 1,
      example: expect.stringContaining('TOTAL DE INSUMOS : 4839'),
    })
    expect(detected?.complete).toBe(true)
    // 8 of the 4,839 are hired by goods and months (UNXMES, M2XMES, MXMES).
    expect(units.filter(Boolean)).toHaveLength(4_839)
  })

  test('SINAPI since 2025: inputs with a column by state', async () => {
    const { rows, parked, detected } = await read(
      'br-sinapi-2025-layout',
      '.xlsx',
      `{ sheet: ISD, header_row: 10, edition: { cell: B3, format: MM/YYYY },
      replace: [{ in: { matching: "^[A-Z]{2}$" }, pattern: "^-$", with: "" }],
      unpivot: { columns: { matching: "^[A-Z]{2}$" }, heading: state, value: price },
      columns: { vendor_ref: [Código do Insumo, state], name: Descrição do Insumo, unit: Unidade, price: price }, ${brazilian} }`,
    )
    expect(parked).toEqual([])
    // Three inputs in 27 states, one of them without a price in Tocantins.
    expect(rows).toHaveLength(80)
    expect(detected?.steps).toMatchObject({ unpivot: { count: 80 }, blanks: { count: 1 }, replace: { count: 1 } })
    const states = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' ')
    const row = (ref: string, state: string, rest: string, cents: number) =>
      `${ref}|${state} | ${rest} | ${cents / 100} | 2026-09-01 | 2026-09`
    expect(rows).toEqual([
      ...states.map((state, n) => row('11270', state, 'ABRACADEIRA DE LATAO | UN', 257 + n)),
      ...states.slice(0, -1).map((state) => row('412', state, 'ABRACADEIRA DE NYLON | UN', 126)),
      ...states.map((state) => row('6111', state, 'SERVENTE DE OBRAS (HORISTA) | H', 2087)),
    ])
  })

  test('SINAPI since 2025: works with two heading rows, and links for codes', async () => {
    const { rows, parked } = await read(
      'br-sinapi-2025-layout',
      '.xlsx',
      `{ sheet: CSD, header_row: [9, 10], edition: { cell: B3, format: MM/YYYY },
      unpivot: { columns: { matching: "^([A-Z]{2}) Custo" }, heading: state, value: price },
      columns: { vendor_ref: [Código da Composição, state], name: Descrição, unit: Unidade, price: price }, ${brazilian} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toHaveLength(54)
    expect(rows[0]).toBe('104658|AC | CONCRETO FCK = 25 MPA | M3 | 548.16 | 2026-09-01 | 2026-09')
    expect(rows[25]).toBe('104658|SP | CONCRETO FCK = 25 MPA | M3 | 573.16 | 2026-09-01 | 2026-09')
    expect(rows[53]).toBe('94964|TO | CONCRETO MAGRO | M3 | 451.97 | 2026-09-01 | 2026-09')
  })

  test('the bank of Andalusia as JSON: every item, with months for dates', async () => {
    const { rows, parked } = await read(
      'es-bcca-cerp',
      'cimentaciones.json',
      `{ records: items, edition: { column: prices.0.edition },
      columns: { vendor_ref: id, name: summary, description: text, unit: unit, price: prices.0.value, currency: prices.0.currency,
      observed_at: prices.0.date, category_path: classification.path }, constants: { kind: bank, lang: es } }`,
    )
    const { items } = JSON.parse(readFileSync(join(lists, 'es-bcca-cerp', 'cimentaciones.json'), 'utf8'))
    expect(parked).toEqual([])
    expect(rows).toHaveLength(items.length)
    expect(rows[0]).toBe(
      'wi-acero-en-barras-corrugadas-b400s-en-ciment | BARRAS CORRUGADAS B400S EN CIMENT. | kg | 1.35 | 2022-01-01 | 2024-01',
    )
    const days = items.map((item: { prices: { date: string }[] }) => `${item.prices[0]?.date}-01`)
    expect(rows.map((row) => row.split(' | ').at(-2))).toEqual(days)
  })

  test('Apulia 2026: noise of floats, and codes of an edition', async () => {
    const { rows, parked, detected } = await read(
      'it-puglia-2026',
      '.csv',
      `{ decimal: ".", round: 2, edition: { name: "puglia_{YYYY}" },
      replace: [{ in: codice_pug2026, pattern: "^PUG\\\\d{4}/", with: "" }],
      columns: { vendor_ref: codice_pug2026, name: [voce, articolo], unit: um, price: TOTALE_GENERALE }, ${italian('')} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      '01.E01.001.001 | trovanti fino ad 1 mc) | m³ | 8.63 | 2026-01-01 | 2026',
      '01.E01.001.003 | scavabili con benna da roccia | m³ | 10.51 | 2026-01-01 | 2026',
      '01.E01.001.011 | durezza con uso di mine | m³ | 46.38 | 2026-01-01 | 2026',
      '01.E01.003.001 | consistenza (argilla, sabbia, ghiaia, ecc.) | m³ | 4.33 | 2026-01-01 | 2026',
    ])
    expect(detected?.steps.round).toMatchObject({
      count: 1,
      example: expect.stringContaining('8.6300000000000008 → 8.63'),
    })
  })

  test('Campania 2024: rows that end early', async () => {
    const { rows, parked, detected } = await read(
      'it-campania-2024',
      '.csv',
      `{ delimiter: ";", decimal: ",", short_rows: true, edition: { name: "campania_{YYYY}" },
      replace: [{ in: Codice, pattern: "^CAM\\\\d+_", with: "" }],
      columns: { vendor_ref: Codice, name: Voce, unit: "Unita' di misura", price: Prezzo }, ${italian('')} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      "A00.010.100.A | del contenuto d'acqua su murature | cad | 217.67 | 2024-01-01 | 2024",
      "A00.010.103.A | Assorbimento d'acqua a bassa pressione | cad | 322.15 | 2024-01-01 | 2024",
      'A00.020.200.B | Carotaggio e lettura della carota | ml | 252.5 | 2024-01-01 | 2024',
    ])
    expect(detected?.steps.short_rows?.count).toBe(1)
  })

  test('Lazio 2023: no heading, and texts that continue their chapters', async () => {
    const { rows, names, parked } = await read(
      'it-lazio-2023',
      '.csv',
      `{ delimiter: ";", decimal: ",", header_row: none, edition: { name: "lazio_{YYYY}" }, parents: { code: 2, text: 3 },
      rows: { only: { "4": "." }, except: { "4": "^%$" } },
      columns: { vendor_ref: 2, name: [_level_3, _level_4, 3], unit: 4, price: 5, category_path: [_level_1, _level_2] }, ${italian('')} }`,
    )
    expect(rows).toEqual([
      '1.01.1. | e ritorno; il personale necessario. | cad | 1826.34 | 2023-01-01 | 2023',
      '1.01.2.a. | distanza fino a 300 m | cad | 263.12 | 2023-01-01 | 2023',
      '1.01.2.b. | distanza superiore a 300 m | cad | 360.53 | 2023-01-01 | 2023',
      '1.01.3.a.1. | 0,00 m a 20,00 m | m | 80.37 | 2023-01-01 | 2023',
      '1.06.2.a.1. | da 40 a 60 mm | m | 626.18 | 2023-01-01 | 2023',
    ])
    // 1.02.2.a has a unit and no price.
    expect(parked).toEqual(['NO_PRICE'])
    expect(names.map((name) => name.slice(0, 24))).toEqual([
      'Trasporto dell’attrezzat',
      'Installazione di attrezz',
      'Installazione di attrezz',
      'in terreni a granulometr',
      'diametro foro da 40 a 60',
    ])
  })

  test('Piedmont 2023: a column with the edition', async () => {
    const { rows, parked } = await read(
      'it-piemonte-2023',
      '.csv',
      `{ delimiter: ";", decimal: ",", edition: { column: EDIZIONE },
      columns: { vendor_ref: CODICE_TOTALE, name: [ARTICOLO, SUBARTICOLO], unit: SIMBOLO, price: PREZZO_LORDO }, ${italian('')} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      '08.P25.F80.005 | base H = 44 CM | cad | 265.11 | 2023-01-01 | 2023',
      '08.P25.F82.020 | 24 16 kN/m2 DN 1000 | m | 318.46 | 2023-01-01 | 2023',
      '08.P25.F83.010 | SEMISFERICA - H 100 CM | cad | 501.4 | 2023-01-01 | 2023',
    ])
  })

  test('Tuscany 2025: elements with a prefix', async () => {
    const { rows, parked } = await read(
      'it-toscana-2025',
      '.xml',
      `{ records: Contenuto/Articolo, round: 2, edition: { column: ../../intestazione/dettaglio/@anno },
      replace: [{ in: "@codice", pattern: "^TOS\\\\d+_", with: "" }],
      columns: { vendor_ref: "@codice", name: [livello3, livello4], unit: um, price: prezzo }, ${italian('')} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      '18.W01.001.002 | di beni di interesse archeologico | a corpo | 1467.4 | 2025-01-01 | 2025',
      '01.A03.001.001 | legno, in ferro, in latero-cemento. | m³ | 13.63 | 2025-01-01 | 2025',
    ])
  })

  test('Veneto 2026: attributes of leaves, and texts around them', async () => {
    const { rows, parked } = await read(
      'it-veneto-2026',
      '.xml',
      `{ records: prezzi/prezzo, edition: { column: ../../../../../@cod },
      replace: [{ in: "@cod", pattern: "^VEN\\\\d+-", with: "" }],
      columns: { vendor_ref: "@cod", name: [../../estesa, "."], unit: "@umi", price: "@val" }, ${italian('')} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      "01.02.01.00 | ALLA PROFONDITA' DI M 0,20 | m² | 3.47 | 2026-01-01 | 2026",
      '01.03.01.a | CAVA CON MISTO DI CAVA | m³ | 43.58 | 2026-01-01 | 2026',
      '01.03.01.b | DA CAVA CON TERRA SCIOLTA | m³ | 41.88 | 2026-01-01 | 2026',
    ])
  })

  test('Lombardy 2026: units with a quantity, and resources without a price', async () => {
    const { rows, units, parked, detected } = await read(
      'it-lombardia-2026',
      '.xml',
      `{ records: dettaglio_voce, edition: { column: ../riferimenti_voce/anno },
      replace: [{ in: "@codice_voce", pattern: "^LOM\\\\d+\\\\.", with: "" }], rows: { except: { "@prezzo_voce": "^0(\\\\.0+)?$" } },
      columns: { vendor_ref: "@codice_voce", name: declaratoria_voce, unit: "@unita_misura_voce", price: "@prezzo_voce" }, ${italian('')} }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      'OC.EEA.Pa01.C0625.Sb010.0000.- | inox AISI 304; impiego: piscine. | 1 cad | 310.62 | 2026-01-01 | 2026',
      'RM.00.10.00.Ba002.0000.0 | colorante agli ossidi rosso. Sovrapprezzo | 1 m² * cm | 4.03 | 2026-01-01 | 2026',
    ])
    expect(units).toEqual([true, true])
    expect(detected?.steps.rows?.count).toBe(1)
  })

  test('Texas: averages of bids', async () => {
    const { rows, parked } = await read(
      'us-txdot',
      '.csv',
      `{ decimal: ".", round: 2, columns: { vendor_ref: [bid_code, measurement_unit], name: bid_item_description, unit: measurement_unit,
      price: wavg_unit_price }, constants: { currency: USD, kind: bid, lang: en, region: US, observed_at: 2026-08-31 } }`,
    )
    expect(parked).toEqual([])
    expect(rows).toHaveLength(15)
    expect(rows.map((row) => row.split(' | ').slice(2, 4).join(' '))).toEqual(
      (
        'acre 42945.94,u 350.12,yd² 9.09,foot 1.5,yd³ 12.78,yd³ 19.15,h 708.99,yd² 0.25,1000 US gal 16.84,lump sum 4500,cycle 19783.33,' +
        'short ton 342.34,short ton 167.5,US gal 0.75,lb 1.73'
      ).split(','),
    )
  })

  test('Texas: rows of bids as JSON, with their bidders', async () => {
    const { rows, parked } = await read(
      'us-txdot',
      '.json',
      `{ decimal: ".", sources: { allow: any }, columns: { vendor_ref: [control_section_job_csj, bid_code], name: bid_item_description,
      unit: measurement_unit, price: bid_item_unit_price_amount, observed_at: project_actual_let_date, source: vendor_name },
      constants: { currency: USD, kind: bid, lang: en, region: US } }`,
    )
    expect(parked).toEqual([])
    expect(rows).toEqual([
      '0000-00-001|110-7001 | EXCAV (ROADWAY) | yd³ | 12.5 | 2026-08-25 | -',
      '0000-00-001|110-7001 | EXCAV (ROADWAY) | yd³ | 14.1 | 2026-08-25 | -',
      '0000-00-001|500-7001 | MOBILIZATION | lump sum | 25000 | 2026-08-25 | -',
    ])
  })
})
