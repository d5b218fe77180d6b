import { isBroken, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { all, inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { readBc3Header } from './header.ts'
import { readBc3 } from './prices.ts'

const read = (text: string | Buffer, options: Partial<Parameters<typeof readBc3>[1]> = {}, length = 9) =>
  all(readBc3(inPieces('f.bc3', Buffer.from(text), length), { name: 'f.bc3', ...options }))
const fields = (records: readonly ReadRecord[]) =>
  records.map((record) => (isBroken(record) ? record.reason : { ...record.fields }))
const head = '~V|Ours|FIEBDC-3/2016\\20112026|catalog||ANSI|\r\n~K|2\\3\\3\\3\\2\\2\\2\\2\\EUR\\|3\\13\\6\\0\\21\\|\r\n'

describe('the prices of a file', () => {
  test('are one record for each concept, under its code, date and currency', async () => {
    const records = await read(`${head}~C|M 001\\M1\\|kg|Bars, 12 mm|1.4000|15111998|3|\r\n~D|M 001|x\\1\\2\\|\r\n`)
    expect(records).toEqual([
      {
        position: 'f.bc3 line 3 ~C M 001',
        raw: '~C|M 001\\M1\\|kg|Bars, 12 mm|1.4000|15111998|3|',
        fields: {
          vendor_ref: 'M 001',
          name: 'Bars, 12 mm',
          unit: 'kg',
          price: '1.4000',
          currency: 'EUR',
          observed_at: '1998-11-15',
        },
        numbers: new Set(['price']),
      },
    ])
  })

  test('are accounted for when missing, each with its reason', async () => {
    const concepts = [
      'R##||Root|9||0|',
      '01#||Chapter|5||0|',
      '%CI|%|Indirect|3||0|',
      'A&|h|Cumulative|1||',
      'P$|u|Family||||',
    ]
    const empty = ['X|u|None|||0|', 'Y|u|Zero|0||0|', 'Z|u|Zero|0.00\\||0|', '|u|No code|4||0|']
    expect(fields(await read(head + [...concepts, ...empty].map((concept) => `~C|${concept}\n`).join('')))).toEqual([
      'NOT_A_PRICE',
      'NOT_A_PRICE',
      'NOT_A_PRICE',
      'NOT_A_PRICE',
      'PARAMETRIC',
      'NO_PRICE',
      'NO_PRICE',
      'NO_PRICE',
      expect.objectContaining({ vendor_ref: '', price: '4' }),
    ])
  })

  test('are one record for each label of a concept', async () => {
    const labelled = '~V|Ours|FIEBDC-3/2016|p|prices\\Ávila 2026\\Lugo 2026\\|ANSI|\n'
    const concept = '~C|A|u|Brick|1.10\\0\\1.30\\1.40\\|0101\\0202\\|3|\n'
    const records = await read(iconv.encode(labelled + concept, 'win1252'))
    expect(
      records.map((record) =>
        isBroken(record)
          ? [record.position, record.reason]
          : [
              record.position,
              record.fields.vendor_ref,
              record.fields.name,
              record.fields.price,
              record.fields.observed_at,
            ],
      ),
    ).toEqual([
      ['f.bc3 line 2 ~C A price 1', 'A@Ávila 2026', 'Brick (Ávila 2026)', '1.10', '2001-01-01'],
      ['f.bc3 line 2 ~C A price 2', 'NO_PRICE'],
      ['f.bc3 line 2 ~C A price 3', 'A@3', 'Brick (3)', '1.30', '2002-02-01'],
      ['f.bc3 line 2 ~C A price 4', 'A@4', 'Brick (4)', '1.40', '2002-02-01'],
    ])
  })

  test('are refused when one concept has too many', async () => {
    const records = await read(`~C|A|u|Brick|${'1\\'.repeat(200_000)}|0102||`, {}, 65_536)
    expect(records).toMatchObject([{ reason: 'TOO_MANY_PRICES' }])
  })

  test.each([
    ['~C|A|u|x|1|311201||', undefined, ''],
    ['~V||FIEBDC-3/2020\\23102023|\n~C|A|u|x|1|151198||', undefined, ''],
    ['~C|A|u|x|1|311201||\n~K|0\\3\\3\\0\\\\|13\\6\\7|', undefined, ''],
    ['~C|A|u|x|1|||', undefined, ''],
    ['~C|A|u|x|1|||', 'CLP', 'CLP'],
    ['~C|A|u|x|1|311201||\n~K|\\2\\2\\3\\2\\2\\2\\2\\MXN\\|', 'CLP', 'MXN'],
    ['~K|\\\\\\\\\\\\\\| 5|\n~C|A|u|x|1|311201||', undefined, ''],
    ['~K|-9\\2|2\\13|2\\\\\\3\\\\2\\EUR\\|\n~C|A|u|x|1|311201||', undefined, 'EUR'],
  ])('have the currency of ~K or of the operator, and no other: %j', async (text, currency, expected) => {
    expect(fields(await read(text, { currency }))[0]).toMatchObject({ currency: expected })
  })

  test('have the date of the concept, else of the file, else of the operator', async () => {
    const concept = '~C|A|u|x|1|'
    expect(fields(await read(`${head}${concept}1205||`))[0]).toMatchObject({ observed_at: '2005-12-01' })
    expect(fields(await read(`${head}${concept}||`))[0]).toMatchObject({ observed_at: '2026-11-20' })
    expect(fields(await read(`${concept}||`, { observedAt: '2020-02-02' }))[0]).toMatchObject({
      observed_at: '2020-02-02',
    })
    expect(fields(await read(`${head}${concept}310226||`))).toEqual(['BAD_DATE'])
  })

  test('accept a comma', async () => {
    expect(fields(await read('~C|A|u|x|12,345|0102||'))[0]).toMatchObject({ price: '12.345' })
  })

  test.each(['850', ''])('are read in cp850 when ~V declares %j', async (label) => {
    const text = `~V|Ours|FIEBDC-3/95|p||${label}|\n~C|A|m|Tubería de hormigón, Ø 30|1|0102||`
    const { encoding } = await readBc3Header(inPieces('f', iconv.encode(text, 'cp850'), 9), {})
    expect(encoding).toEqual({ declared: label || null, used: 'cp850' })
    expect(fields(await read(iconv.encode(text, 'cp850')))[0]).toMatchObject({ name: 'Tubería de hormigón, Ø 30' })
  })

  test('can be read from any bytes', async () => {
    const bytes = fc.array(fc.constantFrom(...Buffer.from('~CVK|\\#%1.0 \n\x1a\x82\xf3'), 0xff, 0), { maxLength: 90 })
    await fc.assert(
      fc.asyncProperty(bytes, async (bytes) => {
        for (const record of await read(Buffer.from(bytes))) expect(record.position).toMatch(/^f\.bc3 line \d+ ~C/)
      }),
    )
  })
})
