import { gzipSync } from 'node:zlib'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { newWorkbook } from '@catalog/formats/xlsx/new-workbook.ts'
import { inPieces, zipOf } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { FORMATS, type Format, formatOfName } from './format.ts'
import { type Outcome, readOutcomes } from './read.ts'
import type { Detected } from './read-options.ts'

type Given = { mapping?: Mapping; format?: Format; currency?: string; piece?: number }
async function read(name: string, bytes: Uint8Array | string, given: Given = {}) {
  const buffer = Buffer.from(bytes)
  const source = given.piece ? inPieces(name, buffer, given.piece) : bytesSource(name, buffer)
  const outcomes: Outcome[] = []
  const detected = new Set<Detected>()
  for await (const batch of readOutcomes(source, {
    mapping: given.mapping,
    format: given.format,
    defaults: { source: 'Ours', currency: given.currency, observedAt: '2026-01-01', notAfter: new Date('2026-11-21') },
  })) {
    detected.add(batch.detected)
    outcomes.push(...batch.outcomes)
  }
  return { outcomes, detected: [...detected] }
}
const said = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ position, result }) =>
    'reason' in result
      ? [position, result.reason]
      : [
          position,
          result.content.vendor_ref,
          result.content.name,
          result.content.price.cents,
          result.content.price.per_quantity,
        ],
  )

const spanish =
  'Código;Descripción;Ud;PVP (€);Fecha\nA1;Hormigón HA-25;m³;1.234,50;13/02/2026\nA2;Baldosa;m²;12,5;01/02/2026\n'

const workbookOf = (...row: readonly (string | number)[]) => newWorkbook({ S: [['ref', 'name', 'price'], row] })

describe('a file without any mapping', () => {
  test.each(['utf-8', 'windows-1252', 'cp850', 'utf16-le'])('is read by detection in %s', async (encoding) => {
    const bytes = iconv.encode(spanish.replaceAll('³', '3').replaceAll('²', '2').replace('€', 'EUR'), encoding, {
      addBOM: encoding === 'utf16-le',
    })
    const { outcomes, detected } = await read('tarifa.csv', bytes, { piece: 11 })
    expect(said(outcomes)).toEqual([
      ['tarifa.csv line 2', 'A1', 'Hormigón HA-25', 123_450, 1],
      ['tarifa.csv line 3', 'A2', 'Baldosa', 1250, 1],
    ])
    expect(detected).toMatchObject([
      {
        file: 'tarifa.csv',
        format: 'csv',
        encoding: { declared: null, used: encoding.replace('utf16-', 'utf-16') },
        delimiter: ';',
        decimal: ',',
        date_order: 'dmy',
        constants: { currency: 'EUR' },
        guessed: ['vendor_ref', 'name', 'unit', 'price', 'observed_at', 'currency'],
        complete: true,
      },
    ])
  })

  test('is recognised by its first bytes when its name does not show the format', async () => {
    const files: [string, Uint8Array | string][] = [
      ['csv', spanish],
      ['jsonl', '{"ref":"A","name":"x","price":1}'],
      ['jsonl', '\n{"ref":"A","name":"x","price":1,"tags":["a"]} \r\n{"ref":"B","name":"y","price":2}\r\n'],
      ['json', '{"ref":"A","name":"x","price":1,"tags":["a"]}'],
      ['json', '{"goods":[{"ref":"A","name":"x","price":1}]}'],
      ['json', '{\n  "goods": [\n{"ref":"A","name":"x","price":1},\n{"ref":"B","name":"y","price":2}\n]\n}\n'],
      ['json', '\ufeff[ {"ref":"A","name":"x","price":1}]'],
      ['csv', '[ref];[name];price\nA;x;1'],
      ['json', gzipSync('[{"ref":"A","name":"x","price":1}]')],
      ['xlsx', await workbookOf('A', 'x', 1)],
      ['zip', zipOf({ 'a.csv': spanish })],
      ['bc3', '~V|Ours|FIEBDC-3/2016|\n~C|A|u|x|1|0102|3|'],
    ]
    for (const [format, bytes] of files) {
      const { detected, outcomes } = await read('prices', bytes, { currency: 'EUR' })
      expect(detected[0]?.format).toBe(format === 'zip' ? 'csv' : format)
      expect(outcomes.length).toBeGreaterThan(0)
      expect(outcomes.every(({ result }) => 'content' in result)).toBe(true)
    }
  })

  test('is refused as a whole when a required column is missing', async () => {
    const { outcomes, detected } = await read('f.csv', 'a;b\n1;2\n')
    expect(outcomes).toMatchObject([
      {
        position: 'f.csv',
        raw: 'a | b',
        result: { reason: 'NO_COLUMN', detail: expect.stringContaining('The file has: a | b') },
      },
    ])
    expect(detected[0]?.complete).toBe(false)
  })

  test('may be empty', async () => {
    for (const format of ['csv', 'jsonl', 'bc3'] as const) {
      const { outcomes, detected } = await read('f', '', { format })
      expect(outcomes).toEqual([])
      expect(detected).toMatchObject([{ complete: true }])
    }
  })
})

describe('given a currency without minor unit', () => {
  const prices = async (name: string, text: string, given: Given = {}) => {
    const { outcomes } = await read(name, text, given)
    return outcomes.map(({ result }) =>
      'reason' in result ? result.reason : [result.content.price.cents, result.content.price.per_quantity],
    )
  }

  test('when all prices of a table share one thousands mark, then they are read', async () => {
    for (const mark of ['.', ',']) {
      const text = `ref;name;price;currency\nA;x;"12${mark}990";CLP\nB;y;"8${mark}495";CLP\nC;z;"8${mark}495";EUR\n`
      expect(await prices('f.csv', text)).toEqual([[12_990, 1], [8495, 1], 'BAD_PRICE'])
    }
  })

  test('when the format defines a decimal point, then prices are literal', async () => {
    const bc3 = '~V|Ours|FIEBDC-3/2016|\n~C|A|u|x|85.500|0102|3|\n~C|B|u|y|12.5|0102|3|'
    expect(await prices('f.bc3', bc3, { currency: 'ESP' })).toEqual([
      [855, 10],
      [125, 10],
    ])
  })
})

test('a mapping overrides detection', async () => {
  const mapping: Mapping = {
    delimiter: ',',
    encoding: 'cp850',
    decimal: '.',
    date_format: 'mdy',
    columns: { vendor_ref: ['ref', 'type'], name: 'what', price: 'price', observed_at: 'on', source: 'who' },
    constants: { currency: 'USD', region: 'US' },
    sources: { allow: ['shop'] },
  }
  const text = 'ref,type,what,price,on,who\nA,x,Baldosa cerámica,1.234,02/03/26,Shop\n'
  const { outcomes } = await read('f.csv', iconv.encode(text, 'cp850'), { mapping })
  expect(outcomes[0]?.result).toMatchObject({
    content: {
      vendor_ref: 'A|x',
      name: 'Baldosa cerámica',
      price: { cents: 1234, per_quantity: 10, currency: 'USD' },
      observed_at: '2026-02-03T00:00:00Z',
      source: { name: 'Shop', region: 'US' },
    },
  })
  const missing = await read('f.csv', 'ref,type,what,price,who\nA,x,y,1,z\n', { mapping })
  expect(missing.outcomes[0]?.result).toMatchObject({
    reason: 'NO_COLUMN',
    detail: expect.stringContaining("observed_at: no column 'on'"),
  })
})

test('objects may omit keys that a mapping names', async () => {
  const mapping: Mapping = {
    columns: { vendor_ref: 'id', name: 'label', price: 'offer.price', gtin: 'ean' },
    constants: { currency: 'EUR' },
  }
  const { outcomes } = await read('f.jsonl', '{"id":7,"label":"Brick","offer":{"price":1.234}}\nx\n{"id":8}\n', {
    mapping,
  })
  expect(said(outcomes)).toEqual([
    ['f.jsonl line 1', '7', 'Brick', 1234, 10],
    ['f.jsonl line 2', 'BAD_JSON'],
    ['f.jsonl line 3', 'NO_NAME'],
  ])
})

describe('a JSON document', () => {
  const text = '{"total":2,"data":{"goods":{"A":{"label":"Brick","price":{"amount":1.234,"currency":"EUR"}},"B":{}}}}'

  test('is read by the path and the columns of a mapping', async () => {
    const mapping: Mapping = {
      records: 'data.goods',
      columns: { vendor_ref: '_key', name: 'label', price: 'price.amount', currency: 'price.currency' },
    }
    const { outcomes, detected } = await read('f.json', text, { mapping, piece: 5 })
    expect(said(outcomes)).toEqual([
      ['f.json record 1', 'A', 'Brick', 1234, 10],
      ['f.json record 2', 'NO_NAME'],
    ])
    expect(detected).toMatchObject([{ format: 'json', complete: true, encoding: { used: 'utf-8' } }])
    const elsewhere = await read('f.json', text, { mapping: { ...mapping, records: 'data.items' } })
    expect(said(elsewhere.outcomes)).toEqual([['f.json', 'NO_RECORDS']])
    expect(elsewhere.detected).toMatchObject([{ complete: false }])
  })

  test('is read by detection without a mapping', async () => {
    const goods = '{"facets":[{"id":1},{"id":2}],"goods":[{"sku":"A","name":"Brick","price_eur":1,"price":12.5}]}'
    const { outcomes, detected } = await read('f.json', goods, { currency: 'EUR' })
    expect(said(outcomes)).toEqual([['f.json record 1', 'A', 'Brick', 1250, 1]])
    expect(detected).toMatchObject([{ guessed: ['vendor_ref', 'name', 'price'], complete: true }])
    const other = await read('f.json', '[{"id":1}]', { currency: 'EUR' })
    expect(other.outcomes).toMatchObject([{ result: { reason: 'NO_COLUMN' } }])
    expect(other.detected).toMatchObject([{ complete: false }])
  })

  test('may hold no records, but must be JSON', async () => {
    const none = await read('f.json', '{"goods":[],"total":0}')
    expect([none.outcomes, none.detected[0]?.complete]).toEqual([[], true])
    for (const [broken, reason] of [
      ['', 'BAD_JSON'],
      ['{"goods":[', 'BAD_JSON'],
      ['{"error":"quota"}', 'NO_RECORDS'],
    ] as const) {
      const { outcomes, detected } = await read('f.json', broken)
      expect([said(outcomes), detected[0]?.complete]).toEqual([[['f.json', reason]], false])
    }
  })
})

test.each([
  ['f.csv', 'sku;name;price\n1;Цемент М500;500\n'],
  ['f.json', '[{"sku":"1","name":"Цемент М500","price":500}]'],
  [
    'f.json',
    '{"products":[{"id":1,"title":"Цемент М500","vendor":"V","handle":"h","variants":[{"id":1,"sku":"1","title":"Default Title","price":"500"}]}]}',
  ],
])('%s has the charset that its server declares, unless the mapping names one', async (name, text) => {
  const names = async (bytes: Buffer, mapping?: Mapping) => {
    const defaults = { source: 'S', currency: 'RUB', observedAt: '2026-01-01', notAfter: new Date('2026-11-21') }
    const page = { url: 'https://shop.example/f', charset: 'windows-1251', expectsOffer: false }
    const found: string[] = []
    for await (const { outcomes } of readOutcomes(bytesSource(name, bytes), { defaults, page, mapping }))
      for (const { result } of outcomes) found.push('content' in result ? result.content.name : result.detail)
    return found
  }
  expect(await names(iconv.encode(text, 'windows-1251'))).toEqual(['Цемент М500'])
  expect(await names(Buffer.from(text))).toEqual(['Цемент М500'])
  expect(await names(iconv.encode(text, 'koi8-r'), { encoding: 'koi8-r' })).toEqual(['Цемент М500'])
})

test.each([
  ['<!doctype html><html><body>Please log in</body></html>', /^a web page came instead of a table/],
  ['callback({"a":1});', /^a script \(JSONP\) came/],
  ['Price list 2026;;\n;;\nDing;Was;Wieviel\n1;a;2,50\n', /The file has: Ding \| Was \| Wieviel$/],
])('a table without known columns says what came: %s', async (text, detail) => {
  const { outcomes } = await read('f.csv', text, { currency: 'EUR' })
  expect(outcomes).toMatchObject([{ result: { reason: 'NO_COLUMN', detail: expect.stringMatching(detail) } }])
})

describe('a gzip file', () => {
  test('is read as the file inside', async () => {
    const files: [string, Format, Uint8Array | string][] = [
      ['a.csv', 'csv', 'ref,name,price\nA,x,1\n'],
      ['a.jsonl', 'jsonl', '{"ref":"A","name":"x","price":1}'],
      ['a.json', 'json', '[{"ref":"A","name":"x","price":1}]'],
      ['a.xlsx', 'xlsx', await workbookOf('A', 'x', 1)],
      ['a.zip', 'csv', zipOf({ 'a.csv': 'ref,name,price\nA,x,1\n' })],
      ['a.bc3', 'bc3', '~V|Ours|FIEBDC-3/2016|\n~C|A|u|x|1|0102|3|'],
    ]
    for (const [name, format, bytes] of files) {
      const whole = await read(name, bytes, { currency: 'EUR' })
      const packed = await read(`${name}.gz`, gzipSync(bytes), { currency: 'EUR', piece: 3 })
      expect(packed).toEqual(whole)
      expect(packed.outcomes).toMatchObject([{ result: { content: { vendor_ref: 'A' } } }])
      expect(packed.detected).toMatchObject([{ format, complete: true }])
    }
  })

  test('that is truncated is one broken record, whatever it holds', async () => {
    const files: Record<string, Uint8Array | string> = {
      'a.csv': 'ref,name,price\nA,x,1\n',
      'a.xml': '<rss></rss>',
      'a.json': '[{"ref":"A","name":"x","price":1}]',
      'a.xlsx': await workbookOf('A', 'x', 1),
      'a.zip': zipOf({ 'a.csv': 'ref,name,price\nA,x,1\n' }),
      a: 'ref,name,price\nA,x,1\n',
    }
    for (const [name, bytes] of Object.entries(files)) {
      const { outcomes, detected } = await read(`${name}.gz`, gzipSync(bytes).subarray(0, -5))
      expect(outcomes).toMatchObject([{ position: name, result: { reason: 'BAD_GZIP' } }])
      expect(detected).toMatchObject([{ file: name, complete: false }])
    }
  })

  test('is read up to the damage', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, i) => `R${i};Ladrillo ${Math.sin(i)};ud;1,${10 + (i % 90)};01/02/2026\n`,
    )
    const bytes = gzipSync(`Código;Descripción;Ud;PVP (€);Fecha\n${rows.join('')}`)
    const { outcomes, detected } = await read('f.csv.gz', bytes.subarray(0, bytes.length >> 1), { piece: 65_536 })
    expect(outcomes.length).toBeGreaterThan(5_000)
    expect(outcomes.at(-1)).toMatchObject({ position: 'f.csv', result: { reason: 'BAD_GZIP' } })
    expect(detected).toMatchObject([{ complete: false }])
  })

  test('that holds a tar archive is refused with a hint', async () => {
    const tar = Buffer.alloc(1_024)
    tar.write('ustar', 257)
    for (const name of ['a.tgz', 'a.tar.gz', 'download']) {
      const { outcomes } = await read(name, gzipSync(tar))
      expect(outcomes).toMatchObject([{ result: { reason: 'NESTED_ARCHIVE', detail: expect.stringContaining('tar') } }])
    }
  })

  test('of any bytes, truncated anywhere, reads as any format without throwing', async () => {
    const given = fc.record({ text: fc.constantFrom(spanish, '[{"ref":"A"}]', '<rss><item/></rss>', ''), at: fc.nat() })
    await fc.assert(
      fc.asyncProperty(given, fc.constantFrom(...FORMATS, undefined), async ({ text, at }, format) => {
        const bytes = gzipSync(text)
        const cut = bytes.subarray(0, 2 + (at % (bytes.length - 2)))
        const { outcomes, detected } = await read('f', cut, { format: format as Format, currency: 'EUR' })
        expect(outcomes.at(-1)).toMatchObject({ result: { reason: expect.stringMatching(/^(BAD_GZIP|NO_DATE)$/) } })
        expect(detected.at(-1)).toMatchObject({ complete: false })
      }),
      { numRuns: 200 },
    )
  })
})

test('reads each file of an archive by itself, workbooks included', async () => {
  const bytes = zipOf({
    'a.csv': spanish,
    'sub/b.jsonl': '{"ref":"B","name":"Brick","price":"3,75"}\n',
    'c.xlsx': await workbookOf('X', 'from Excel', 9.95),
    'readme.txt': 'nothing to see',
    'd.zip': 'PK',
  })
  const { outcomes, detected } = await read('all.zip', bytes, { currency: 'EUR' })
  expect(said(outcomes)).toEqual([
    ['all.zip/a.csv line 2', 'A1', 'Hormigón HA-25', 123_450, 1],
    ['all.zip/a.csv line 3', 'A2', 'Baldosa', 1250, 1],
    ['all.zip/sub/b.jsonl line 1', 'B', 'Brick', 375, 1],
    ['all.zip/c.xlsx line 2', 'X', 'from Excel', 995, 1],
    ['all.zip/d.zip', 'NESTED_ARCHIVE'],
  ])
  expect(detected.map(({ file, complete }) => [file, complete])).toEqual([
    ['all.zip/a.csv', true],
    ['all.zip/sub/b.jsonl', true],
    ['all.zip/c.xlsx', true],
    ['all.zip/d.zip', false],
  ])
})

test('reports a file that breaks off, and keeps the records before', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, i) => `R${i};Ladrillo ${Math.sin(i)};ud;1,${10 + (i % 90)};01/02/2026\n`,
  ).join('')
  const bytes = zipOf({ 'a.csv': `Código;Descripción;Ud;PVP (€);Fecha\n${rows}` })
  bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 200)
  const { outcomes, detected } = await read('f.zip', bytes)
  expect(outcomes.at(-1)).toMatchObject({ position: 'f.zip/a.csv', result: { reason: 'UNREADABLE' } })
  expect(outcomes.length).toBeGreaterThan(1_000)
  expect(detected[0]?.complete).toBe(false)
})

test('reads any bytes as any format without throwing', async () => {
  const seeds = [
    spanish,
    '~V|a|b|\n~C|A|u|x|1|0102|3|',
    '{"ref":"A","name":"x","price":1}\n',
    'PK\x03\x04',
    'ref,name,price\n',
  ]
  const bytes = fc
    .tuple(fc.constantFrom(...seeds), fc.uint8Array({ maxLength: 60 }), fc.nat(100))
    .map(([seed, noise, at]) =>
      Buffer.concat([Buffer.from(seed).subarray(0, at), noise, Buffer.from(seed).subarray(at)]),
    )
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom(...FORMATS, undefined), async (bytes, format) => {
      const { outcomes } = await read('f', bytes, { format: format as Format, currency: 'EUR' })
      for (const { position, result } of outcomes) {
        expect(position.startsWith('f')).toBe(true)
        if ('reason' in result) expect(result.reason).toMatch(/^[A-Z_]+$/)
      }
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['a.CSV', 'csv'],
  ['a.tsv', 'csv'],
  ['a.ndjson', 'jsonl'],
  ['a.xlsm', 'xlsx'],
  ['A.BC3', 'bc3'],
  ['a.json', 'json'],
  ['a.xml', 'xml'],
  ['a.csv.gz', 'csv'],
  ['a.XML.GZ', 'xml'],
  ['a.gz', null],
  ['a.tar.gz', null],
  ['a.txt', null],
  ['csv', null],
])('the file %s has the format %s', (name, format) => {
  expect(formatOfName(name)).toBe(format)
})

describe('the first elements of markup show its format', () => {
  const BMECAT = `<?xml version="1.0"?><!-- a catalogue --><BMECAT version="1.2"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE>
    <CURRENCY>EUR</CURRENCY></CATALOG><SUPPLIER><SUPPLIER_NAME>Baustoffe Nord</SUPPLIER_NAME></SUPPLIER></HEADER>
    <T_NEW_CATALOG><ARTICLE><SUPPLIER_AID>77</SUPPLIER_AID><ARTICLE_DETAILS><DESCRIPTION_SHORT>Gipsplatte</DESCRIPTION_SHORT>
    </ARTICLE_DETAILS><ARTICLE_ORDER_DETAILS><ORDER_UNIT>MTK</ORDER_UNIT></ARTICLE_ORDER_DETAILS><ARTICLE_PRICE_DETAILS>
    <ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>3.45</PRICE_AMOUNT><TAX>0.19</TAX></ARTICLE_PRICE>
    </ARTICLE_PRICE_DETAILS></ARTICLE></T_NEW_CATALOG></BMECAT>`
  const FEED = `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Feed</title>
    <item><g:id>77</g:id><title>Gypsum board</title><g:price>3.45 EUR</g:price></item></channel></rss>`
  const PAGE = `<!DOCTYPE html><html><body><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
    "sku":"77","name":"Gypsum board","offers":{"@type":"Offer","price":"3.45","priceCurrency":"EUR"}}</script></body></html>`

  test.each([
    ['a BMEcat catalogue', 'bmecat', BMECAT, 'Baustoffe Nord'],
    ['a merchant feed', 'merchant', FEED, 'Ours'],
    ['a product page', 'html', PAGE, 'Ours'],
  ])('as %s', async (_what, format, text, source) => {
    for (const piece of [undefined, 7]) {
      const { outcomes, detected } = await read('download', text, piece === undefined ? {} : { piece })
      expect(detected).toMatchObject([{ format, complete: true }])
      expect(outcomes).toMatchObject([
        {
          result: {
            content: {
              vendor_ref: '77',
              price: { cents: 345, currency: 'EUR', kind: 'list' },
              observed_at: '2026-01-01T00:00:00Z',
              source: { name: source },
            },
          },
        },
      ])
    }
  })

  test.each([
    ['with a comment above', `<!-- ${'x'.repeat(9_000)} <rss> <feed> -->${BMECAT.slice(21)}`, 'bmecat'],
    [
      'with a document type',
      BMECAT.replace('<BMECAT', '<!DOCTYPE BMECAT SYSTEM "a.dtd" [ <!ENTITY a "b"> ]><BMECAT'),
      'bmecat',
    ],
    ['with a prefix', FEED.replace('<rss', '<rdf:RDF xmlns:rdf="r"').replace('</rss>', '</rdf:RDF>'), 'merchant'],
    ['that quotes a page', FEED.replace('Gypsum board', '<![CDATA[<!doctype html><html>]]>'), 'merchant'],
    ['that is a page', PAGE, 'html'],
  ])('in a file .xml too: %s', async (_what, text, format) => {
    const { outcomes, detected } = await read('a.xml', text)
    expect(detected).toMatchObject([{ format, complete: true }])
    expect(outcomes).toMatchObject([{ result: { content: { vendor_ref: '77' } } }])
    const packed = await read('all.zip', zipOf({ 'a.xml': text }))
    expect(packed.detected).toMatchObject([{ file: 'all.zip/a.xml', format, complete: true }])
  })

  test.each([
    ['a.xml', '<?xml version="1.0"?><!-- BMECAT --><urlset><url/></urlset>', '<urlset>'],
    ['a.xml', '{"error":1}', 'no element'],
    ['a.xml', '', 'no element'],
    ['download', '<ns:products><item/></ns:products>', '<products>'],
  ])('%s of an unknown kind is one broken record', async (name, text, detail) => {
    const { outcomes, detected } = await read(name, text)
    expect(outcomes).toMatchObject([
      { position: name, result: { reason: 'UNKNOWN_XML', detail: expect.stringContaining(detail) } },
    ])
    expect(detected).toMatchObject([{ format: null, complete: false }])
  })

  test.each(['old.xls', 'download', 'old.xls.gz'])(
    'the workbook %s of Excel 97 says to save it as XLSX',
    async (name) => {
      const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)])
      const { outcomes } = await read(name, name.endsWith('.gz') ? gzipSync(bytes) : bytes)
      expect(outcomes).toMatchObject([
        { result: { reason: 'OLD_WORKBOOK', detail: expect.stringContaining('save it as XLSX or CSV') } },
      ])
    },
  )

  test.each([
    ['a.x83', '<?xml version="1.0"?><GAEB xmlns="http://www.gaeb.de/GAEB_DA_XML/DA83/3.3"/>'],
    ['a.xml', '<GAEB/>'],
    ['a.p83', '#begin[GAEB]\n#end[GAEB]'],
    ['a.d83', `${'00        83L'.padEnd(62)}1122PPPPI90`],
    ['a.onlv', '<onlv xmlns="http://www.oenorm.at/schema/A2063/2021-03-01"/>'],
  ])('the bill %s of a tender says how it is priced', async (name, text) => {
    const { outcomes } = await read(name, text)
    expect(outcomes).toMatchObject([
      {
        result: {
          reason: 'BILL',
          detail: expect.stringContaining('price it with `catalog match` or on the page /bill'),
        },
      },
    ])
  })

  test('a table under the name of an old workbook is read as the table that it is', async () => {
    const { outcomes } = await read('list.xls', 'ref;name;price;currency\nA;Brick;1,50;EUR\n')
    expect(said(outcomes)).toEqual([['list.xls line 2', 'A', 'Brick', 150, 1]])
  })

  test('a page without a date is refused, because pages do not state it', async () => {
    const outcomes: Outcome[] = []
    for await (const batch of readOutcomes(bytesSource('page.html', Buffer.from(PAGE)), {
      defaults: { source: 'Ours', notAfter: new Date('2026-11-21') },
    })) {
      outcomes.push(...batch.outcomes)
    }
    expect(outcomes).toMatchObject([{ result: { reason: 'NO_DATE' } }])
  })
})

describe('prices of a BC3 file', () => {
  test('have the kind bank and the language Spanish, so "ml" is a linear metre', async () => {
    const { outcomes } = await read('bank.bc3', '~V|Ours|FIEBDC-3/2016|\n~K|EUR|\n~C|T1|ml|Tubo|4.20|010226|3|')
    const [outcome] = outcomes
    if (outcome === undefined || 'reason' in outcome.result) throw new Error('expected an observation')
    expect(outcome.result.content).toMatchObject({ unit: 'ml', lang: 'es', price: { kind: 'bank', cents: 420 } })
  })
})

test.each([
  ['f.csv', 'ref,name,price\nA,Brick,1\n'],
  ['f.csv', 'ref,name,price,divisa\nA,Brick,1,\n'],
  ['f.json', '[{"sku":"A","name":"Brick","price":1}]'],
  ['f.jsonl', '{"sku":"A","name":"Brick","price":1}\n'],
  ['f.bc3', '~V|Ours|FIEBDC-3/2016|\n~C|A|u|Brick|1|010226|3|'],
  ['f.bc3', '~V|Ours|FIEBDC-3/98|\n~K|0\\3\\3\\0\\\\|13\\6\\7|\n~C|A|u|Brick|1|010199|3|'],
  [
    'f.xml',
    '<BMECAT version="1.2"><HEADER><CATALOG><LANGUAGE>deu</LANGUAGE></CATALOG></HEADER><T_NEW_CATALOG><ARTICLE><SUPPLIER_AID>A</SUPPLIER_AID><ARTICLE_DETAILS><DESCRIPTION_SHORT>Brick</DESCRIPTION_SHORT></ARTICLE_DETAILS><ARTICLE_PRICE_DETAILS><ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>1</PRICE_AMOUNT></ARTICLE_PRICE></ARTICLE_PRICE_DETAILS></ARTICLE></T_NEW_CATALOG></BMECAT>',
  ],
])('given %s without a currency, when nobody names one, then it is asked: %s', async (name, text) => {
  expect((await read(name, text)).outcomes).toMatchObject([{ result: { reason: 'NO_CURRENCY' } }])
  expect((await read(name, text, { currency: 'CLP' })).outcomes).toMatchObject([
    { result: { content: { vendor_ref: 'A' } } },
  ])
})
