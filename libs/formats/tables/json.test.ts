import { isBroken, type RawRecord, RECORD_CHARS_MAX, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { all, textInPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JSON_CHARS_MAX, type JsonOptions, readJson } from './json.ts'
import { BadJson, membersAt, rootOf } from './json-text.ts'
import { readJsonl } from './jsonl.ts'

const read = (text: string, options: Partial<JsonOptions> = {}, length = 7) =>
  all(readJson(textInPieces(text, length), { name: 'f.json', ...options }))
const fieldsOf = (records: readonly ReadRecord[]) =>
  records.map((record) => (isBroken(record) ? record.reason : { ...record.fields }))
const isProduct = (columns: readonly string[]) => columns.includes('sku') && columns.includes('price')

describe('records of a JSON document', () => {
  test('come from the array at its root, with their text and exact numbers', async () => {
    const [first, second] = await read('\ufeff [ {"a": {"b": 1.50}, "p":12345678901234567890.10},\n {"a":null} ]\n')
    expect(first).toMatchObject({
      position: 'f.json record 1',
      raw: '{"a": {"b": 1.50}, "p":12345678901234567890.10}',
      fields: { 'a.b': '1.50', p: '12345678901234567890.10' },
      numbers: new Set(['a.b', 'p']),
    })
    expect(second).toMatchObject({ position: 'f.json record 2', fields: { a: '' } })
  })

  test('have prices in major units when a shop declares minor units', async () => {
    const prices = {
      price: '1299',
      sale_price: 5,
      price_range: { min_amount: '1299' },
      stock: '7',
      currency_minor_unit: 2,
    }
    const text = JSON.stringify([{ id: 40, price: '3', prices }, { prices: { price: '1299', currency_minor_unit: 0 } }])
    const [first, second] = (await read(text)) as RawRecord[]
    expect({ ...first?.fields }).toEqual({
      id: '40',
      price: '3',
      'prices.price': '12.99',
      'prices.sale_price': '0.05',
      'prices.price_range.min_amount': '12.99',
      'prices.stock': '7',
      'prices.currency_minor_unit': '2',
    })
    expect(first?.numbers?.has('prices.price')).toBe(true)
    expect(second).toMatchObject({ fields: { 'prices.price': '1299' } })
  })

  test('come from the given path, which may lead through arrays', async () => {
    const text = '{"a":[{"x":1}],"data":{"pages":[{"items":[]},{"items":[{"x":2},{"x":3}]}]}}'
    expect(fieldsOf(await read(text, { records: 'data.pages.1.items' }))).toEqual([{ x: '2' }, { x: '3' }])
    expect(await read(text, { records: 'data.pages.0.items' })).toEqual([])
    expect(await read('{"items":null}', { records: 'items' })).toEqual([])
    expect(fieldsOf(await read('{"items":[{"x":1}],"items":[{"x":2}]}', { records: 'items' }))).toEqual([{ x: '2' }])
  })

  test('may be the values of an object, whose keys become a column', async () => {
    const text = '{"goods":{"10":{"name":"x"},"9":{"name":"y","_key":"own"}},"none":{}}'
    const records = await read(text, { records: 'goods' })
    expect(fieldsOf(records)).toEqual([
      { _key: '10', name: 'x' },
      { _key: 'own', name: 'y' },
    ])
    expect(records[0]).toMatchObject({ position: 'f.json record 1', raw: '"10":{"name":"x"}' })
    expect(await read(text, { records: 'none' })).toEqual([])
    expect(fieldsOf(await read('{"A":{"x":1}}', { records: '.' }))).toEqual([{ _key: 'A', x: '1' }])
  })

  test.each([
    [
      'data.items',
      '{"data":{"rows":[],"total":3}}',
      "records 'data.items': no 'items' in 'data', which has rows, total",
    ],
    ['items', '{}', "records 'items': no 'items' in the document, which is empty"],
    ['items', '[{"a":1}]', "records 'items': no 'items' in the document, which is an array"],
    ['a.b', '{"a":"text"}', "records 'a.b': no 'b' in 'a', which is a text"],
    [
      'a.b',
      '{"a":{"b":7}}',
      "records 'a.b': expected an array, or an object of objects, and 'a.b' is a number or a boolean",
    ],
    [
      'data',
      '{"data":{"items":[],"n":1}}',
      "records 'data': expected an array, or an object of objects, and 'data' has items, n",
    ],
  ])('are missing at the path %s of %s', async (records, text, detail) => {
    expect(await read(text, { records })).toEqual([
      { position: 'f.json', raw: text, reason: 'NO_RECORDS', detail, endsFile: true },
    ])
  })
})

describe('records without a path', () => {
  test.each([
    ['the largest list', '{"few":[{"x":1}],"data":{"many":[{"x":2},{"x":3}]}}', ['2', '3']],
    ['the upper of two', '{"data":{"low":[{"x":1}]},"high":[{"x":2}]}', ['2']],
    ['no list inside a list', '{"goods":[{"x":1,"variants":[{"x":2},{"x":3}]}]}', ['1']],
    ['no list without objects', '{"tags":[1,2,3],"goods":[{"x":1}]}', ['1']],
    ['what looks like records', '{"facets":[{"x":8},{"x":9}],"goods":[{"sku":"A","price":1,"x":1}]}', ['1']],
    ['a document that looks like one', '{"sku":"A","price":1,"x":1,"related":[{"sku":"B","price":2,"x":2}]}', ['1']],
    ['none in an empty list', '{"goods":[],"total":0}', []],
    ['none in an empty document', '[]', []],
  ])('are %s', async (_what, text, expected) => {
    const records = fieldsOf(await read(text, { isHeading: isProduct }))
    expect(records.map((fields) => (typeof fields === 'string' ? fields : fields.x))).toEqual(expected)
  })

  test('are not found in a document of another kind', async () => {
    const [record] = await read('{"error":{"code":"QUOTA"}}', { isHeading: isProduct })
    expect(record).toMatchObject({ reason: 'NO_RECORDS', endsFile: true })
    expect(record).toMatchObject({ detail: expect.stringContaining('the document has error.code') })
    expect(fieldsOf(await read('"text"'))).toEqual(['NO_RECORDS'])
    // Without a definition of a record, a single object is one.
    expect(fieldsOf(await read('{"x":1}'))).toEqual([{ x: '1' }])
  })
})

describe('an unreadable part', () => {
  test.each(['', ' ', '[{"a":1}', '{"a":[1,2}', '[] []', 'Unauthorized', '<html></html>', '{"a" 1}', '{a:1}', '["a'])(
    'ends the document %j',
    async (text) => {
      expect(await read(text)).toMatchObject([{ position: 'f.json', raw: text, reason: 'BAD_JSON', endsFile: true }])
    },
  )

  test('is one record, or the rest of the document', async () => {
    const records = await read('[{"a":1},{"a":NaN},7,{"a":2}]')
    expect(fieldsOf(records)).toEqual([{ a: '1' }, 'BAD_JSON', 'BAD_JSON', { a: '2' }])
    expect(records.some((record) => 'endsFile' in record)).toBe(false)
    expect(fieldsOf(await read('[{"a":1},]'))).toEqual([{ a: '1' }, 'BAD_JSON'])
    const ended = await read('[{"a":1} {"a":2}]')
    expect(fieldsOf(ended)).toEqual([{ a: '1' }, 'BAD_JSON'])
    expect(ended[1]).toMatchObject({ endsFile: true, detail: `expected ',' or ']' at character 10: "{\\"a\\":2}]"` })
  })

  test('may be too long', async () => {
    const long = `{"a":"${'x'.repeat(RECORD_CHARS_MAX)}"}`
    expect(fieldsOf(await read(`[${long},{"a":1}]`, {}, 65_536))).toEqual(['RECORD_TOO_LONG', { a: '1' }])
    const blanks = ' '.repeat(JSON_CHARS_MAX - 2)
    expect(await read(`[]${blanks}`, {}, 65_536)).toEqual([])
    expect(await read(`[]${blanks} `, {}, 65_536)).toMatchObject([{ reason: 'JSON_TOO_LONG', endsFile: true }])
  })

  test('may be deep, and takes linear time', async () => {
    const deep = `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
    expect(fieldsOf(await read(`[${deep}]`, {}, 65_536))).toEqual(['RECORD_TOO_LONG'])
    const objects = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
    expect(fieldsOf(await read(objects, { isHeading: isProduct }, 65_536))).toEqual(['NO_RECORDS'])
  })
})

/** Few keys and significant characters, so that they collide. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 0, -1.5e-7, '', '"', '\\', '{"a":1}', '],[', 'ñ€\u2028'),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', '_key', '__proto__', '"', 'x.y', '0'), tie('value'), { maxKeys: 4 }),
  ),
})).value
const object = fc.dictionary(fc.constantFrom('a', 'b', 'c.d', '__proto__', '"}'), json, { maxKeys: 5 })

describe('any JSON', () => {
  test('gives the same record in a document and on a line', async () => {
    const spaced = fc.record({ indent: fc.constantFrom(undefined, 1, '\t'), piece: fc.integer({ min: 1, max: 50 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(object, { maxLength: 3 }), spaced, async (objects, { indent, piece }) => {
        const lines = objects.map((one) => `${JSON.stringify(one)}\n`).join('')
        const expected = await all(readJsonl(textInPieces(lines), { name: 'f' }))
        const said = (records: readonly ReadRecord[]) =>
          records.map((record) => (isBroken(record) ? record.reason : [record.fields, record.numbers]))
        for (const [document, records] of [
          [objects, undefined],
          [{ below: [1, { here: objects }] }, 'below.1.here'],
        ] as const) {
          expect(said(await read(JSON.stringify(document, null, indent), { records }, piece))).toEqual(said(expected))
        }
      }),
      { numRuns: 200 },
    )
  })

  test('has the members that JSON.parse finds', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1), (value, indent) => {
        const text = ` ${JSON.stringify(value, null, indent)}\n`
        const root = rootOf(text)
        expect(JSON.parse(text.slice(root.at, root.end))).toEqual(JSON.parse(text))
        const members = [...membersAt(text, root.at)].map(({ key, at, end }) => [key, JSON.parse(text.slice(at, end))])
        const isContainer = typeof value === 'object' && value !== null
        const byKey = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]))
        const expected = isContainer ? Object.entries(JSON.parse(text)) : []
        expect(members.sort(byKey)).toEqual(expected.sort(byKey))
      }),
      { numRuns: 300 },
    )
  })

  test('with damage anywhere is refused or read, and terminates', () => {
    const damage = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', '{', '}', '[', ']', '"', ',', ':', '\\', 'x'))
    fc.assert(
      fc.property(json, damage, (value, [at, removed, added]) => {
        const whole = JSON.stringify(value)
        const place = at % (whole.length + 1)
        const text = whole.slice(0, place) + added + whole.slice(place + removed)
        try {
          for (const { at, end } of membersAt(text, rootOf(text).at)) expect(end).toBeGreaterThan(at)
        } catch (error) {
          expect(error).toBeInstanceOf(BadJson)
          expect(() => JSON.parse(text)).toThrow(SyntaxError)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
