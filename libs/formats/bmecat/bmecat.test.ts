import { priceAt } from '@catalog/core/median/verdict.ts'
import { parseDecimal, rational, toText } from '@catalog/core/money/rational.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { isBroken, type RawRecord, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { RECORD_KEYS } from '@catalog/formats/mapping/mapping-keys.ts'
import { all, inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BmecatOptions, readBmecat } from './bmecat.ts'

const read = (text: string | Buffer, options: Partial<BmecatOptions> = {}, length = 9) =>
  all(readBmecat(inPieces('b.xml', Buffer.from(text), length), { name: 'b.xml', ...options }))
const shown = (records: readonly ReadRecord[], ...keys: readonly string[]) =>
  records.map((record) =>
    isBroken(record)
      ? record.reason
      : keys
          .map((key) => record.fields[key])
          .join(' ')
          .trim(),
  )

const HEADER = `<HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CATALOG_ID>1</CATALOG_ID>
  <DATETIME type="generation_date"><DATE>2026-03-02</DATE><TIME>08:30:00</TIME><TIMEZONE>+01:00</TIMEZONE></DATETIME>
  <TERRITORY>DE</TERRITORY><TERRITORY>AT</TERRITORY><CURRENCY>EUR</CURRENCY></CATALOG>
  <SUPPLIER><SUPPLIER_NAME>Baustoffe Süd</SUPPLIER_NAME></SUPPLIER></HEADER>`
const catalogue = (articles: string, { header = HEADER, transaction = 'T_NEW_CATALOG' } = {}) =>
  `<?xml version="1.0"?><!DOCTYPE BMECAT SYSTEM "bmecat_new_catalog.dtd"><BMECAT version="1.2">${header}<${transaction}>${articles}</${transaction}></BMECAT>`
const ORDER = '<ORDER_UNIT>PCE</ORDER_UNIT>'
const article = (prices: string, { order = ORDER, details = '', dates = '', rest = '', attributes = '' } = {}) =>
  `<ARTICLE${attributes}><SUPPLIER_AID>A1</SUPPLIER_AID>
  <ARTICLE_DETAILS><DESCRIPTION_SHORT>Dübel 8 x 40</DESCRIPTION_SHORT>${details}</ARTICLE_DETAILS>${rest}
  <ARTICLE_ORDER_DETAILS>${order}</ARTICLE_ORDER_DETAILS>
  <ARTICLE_PRICE_DETAILS>${dates}${prices}</ARTICLE_PRICE_DETAILS></ARTICLE>`
const price = (amount: string, rest = '', type = 'net_list') =>
  `<ARTICLE_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${rest}</ARTICLE_PRICE>`
const readArticle = (...args: Parameters<typeof article>) => read(catalogue(article(...args)))

describe('the prices of BMEcat 1.2', () => {
  test('are one record for each tier, with the data of article and header', async () => {
    const details = `<DESCRIPTION_LONG>Nylon &amp; more</DESCRIPTION_LONG><EAN>4006209503089</EAN>
      <MANUFACTURER_AID>50308</MANUFACTURER_AID><MANUFACTURER_NAME>Fischer</MANUFACTURER_NAME><KEYWORD>Dübel</KEYWORD>`
    const order = `<ORDER_UNIT>BX</ORDER_UNIT><CONTENT_UNIT>C62</CONTENT_UNIT><NO_CU_PER_OU>100</NO_CU_PER_OU>
      <PRICE_QUANTITY>10</PRICE_QUANTITY>`
    const prices =
      price('79.90', '<TAX>0.19</TAX><LOWER_BOUND>1</LOWER_BOUND>') +
      price('72', '<PRICE_CURRENCY>CHF</PRICE_CURRENCY><LOWER_BOUND>50</LOWER_BOUND><TERRITORY>CH</TERRITORY>')
    const records = await readArticle(prices, { details, order })
    const first = {
      vendor_ref: 'A1',
      name: 'Dübel 8 x 40',
      description: 'Nylon & more',
      unit: 'BX',
      price: '79.9',
      currency: 'EUR',
      per_quantity: '10',
      min_quantity: '1',
      pack_quantity: '100',
      pack_unit: 'C62',
      tax_included: 'false',
      tax_rate: '0.19',
      kind: 'list',
      observed_at: '2026-03-02T08:30:00+01:00',
      source: 'Baustoffe Süd',
      region: 'DE',
      category_path: '',
      gtin: '4006209503089',
      manufacturer_ref: 'Fischer 50308',
      lang: 'de',
    }
    const second = { ...first, price: '72', currency: 'CHF', min_quantity: '50', tax_rate: '', region: 'CH' }
    expect(records).toMatchObject([
      { position: 'b.xml item 1 price 1', fields: first, numbers: new Set(['price']) },
      { position: 'b.xml item 1 price 2', fields: second, numbers: new Set(['price']) },
    ])
    expect(records[0]?.raw).toMatch(/^<ARTICLE>.*<\/ARTICLE>$/s)
    const keys = new Set(Object.keys((records[0] as RawRecord).fields))
    expect(keys.difference(new Set<string>(RECORD_KEYS))).toEqual(new Set(['kind', 'source', 'region']))
  })

  test('are exact for any factor and quantity', async () => {
    const decimal = fc
      .tuple(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, places]) => {
        const text = String(digits).padStart(places + 1, '0')
        return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`
      })
    const tier = fc.record({ amount: decimal, factor: decimal, bound: decimal })
    await fc.assert(
      fc.asyncProperty(fc.array(tier, { minLength: 1, maxLength: 4 }), decimal, async (tiers, quantity) => {
        const prices = tiers.map(({ amount, factor, bound }) =>
          price(amount, `<PRICE_FACTOR>${factor}</PRICE_FACTOR><LOWER_BOUND>${bound}</LOWER_BOUND>`),
        )
        const order = `${ORDER}<PRICE_QUANTITY>${quantity}</PRICE_QUANTITY>`
        const records = (await read(catalogue(article(prices.join(''), { order })), {}, 65_536)) as RawRecord[]
        const of = (text: string | undefined) => parseDecimal(text || '1')
        const ratio = (a: string, b: string, c: string) =>
          toText(rational(of(a).n * of(b).n * of(c).d, of(a).d * of(b).d * of(c).n))
        expect(records.map(({ fields }) => ratio(fields.price ?? '', '1', fields.per_quantity ?? ''))).toEqual(
          tiers.map(({ amount, factor }) => ratio(amount, factor, quantity)),
        )
        expect(records.map(({ fields }) => toText(of(fields.min_quantity)))).toEqual(
          tiers.map(({ bound }) => toText(of(bound))),
        )
      }),
    )
  })

  test('vote by their smallest tier', async () => {
    const bounds = ['100', '1', '20']
    const records = await readArticle(bounds.map((n) => price(`${n}0`, `<LOWER_BOUND>${n}</LOWER_BOUND>`)).join(''))
    const observations = records.map((record, i) => {
      const { fields } = record as RawRecord
      const observed = { observationId: `ob_${i}`, observedAtMs: 0, currency: 'EUR', override: null }
      return { ...observed, price: parseDecimal(fields.price ?? ''), minQuantity: fields.min_quantity || null }
    })
    expect(toText(priceAt(observations).price)).toBe('10')
  })

  test.each([
    ['net_list gros_list net_customer nrp', 'net_list', ['list', 'false']],
    ['nrp net_customer gros_list', 'gros_list', ['list', 'true']],
    ['nrp net_customer', 'net_customer', ['net', 'false']],
    ['nrp', 'nrp', ['list', '']],
  ])('of %s are recorded as %s; the others are refused', async (types, recorded, [kind, included]) => {
    const records = await readArticle(
      types
        .split(' ')
        .map((type) => price('5', '', type))
        .join(''),
    )
    expect(shown(records, 'kind', 'tax_included')).toEqual(
      types.split(' ').map((type) => (type === recorded ? `${kind} ${included}`.trim() : 'OTHER_PRICE_TYPE')),
    )
  })

  test('of a customer stand when the list price is on request, or has another country or currency', async () => {
    const types = (list: string) =>
      price('0', '', 'net_list') + price('9', list, 'net_list') + price('5', '', 'net_customer')
    const [french, franc] = ['<TERRITORY>GB</TERRITORY>', '<PRICE_CURRENCY>CHF</PRICE_CURRENCY>']
    expect(shown(await readArticle(types(french)), 'price', 'region')).toEqual(['NO_PRICE', '9 GB', '5 DE'])
    expect(shown(await readArticle(types(franc)), 'price', 'currency')).toEqual(['NO_PRICE', '9 CHF', '5 EUR'])
    expect(shown(await readArticle(types('')), 'price')).toEqual(['NO_PRICE', '9', 'OTHER_PRICE_TYPE'])
  })

  test.each([
    ['', 'DE'],
    ['AT DE', 'DE'],
    ['AT', 'AT'],
    ['FR AT', 'AT'],
    ['DE-BY DE-NW', 'DE'],
    ['FR ES', 'ES'],
    ['FR GB CH', 'FR,GB'],
    ['CH NO', 'CH'],
    ['MX US AR', 'MX,AR,US'],
  ])('of territories %j are recorded once a market: %s', async (territories, regions) => {
    const inside = territories
      .split(' ')
      .filter(Boolean)
      .map((code) => `<TERRITORY>${code}</TERRITORY>`)
    expect(shown(await readArticle(price('5', inside.join(''))), 'region').join()).toBe(regions)
  })

  test("take the operator's region when it is one of several", async () => {
    expect(shown(await read(catalogue(article(price('5'))), { region: 'AT' }), 'region')).toEqual(['AT'])
    expect(shown(await read(catalogue(article(price('5'))), { region: 'FR' }), 'region')).toEqual(['DE'])
    expect(shown(await read(catalogue(article(price('5')), { header: '' }), { region: 'FR' }), 'region')).toEqual([''])
  })

  const dates = (start: string, end: string) =>
    [['valid_start_date', start] as const, ['valid_end_date', end] as const]
      .filter(([, day]) => day !== '')
      .map(([type, day]) => `<DATETIME type="${type}"><DATE>${day}</DATE></DATETIME>`)
      .join('')
  test.each([
    ['2026-03-02', '', '5'],
    ['2026-03-03', '', 'NOT_VALID_NOW'],
    ['', '2026-03-02', '5'],
    ['', '2026-03-01', 'NOT_VALID_NOW'],
    ['2026-01-01', '2026-12-31', '5'],
    ['31.02.2026', '', 'BAD_DATE'],
  ])('hold from %j until the end of %j: %s', async (start, end, expected) => {
    expect(shown(await readArticle(price('5'), { dates: dates(start, end) }), 'price')).toEqual([expected])
  })

  test.each([
    ['00:00:00', '+01:00', '5'],
    ['08:00:00', '+01:00', 'NOT_VALID_NOW'],
    ['08:00:00', 'Z', '5'],
    ['08:00:00', 'MEZ', '5'],
  ])('that end at %s %s of a day hold all day or until that time: %s', async (clock, zone, expected) => {
    const end = `<DATETIME type="valid_end_date"><DATE>2026-03-02</DATE><TIME>${clock}</TIME><TIMEZONE>${zone}</TIMEZONE></DATETIME>`
    expect(shown(await readArticle(price('5'), { dates: end }), 'price')).toEqual([expected])
  })

  test("use the operator's date of observation, and name the dates that exclude it", async () => {
    const text = catalogue(article(price('5'), { dates: dates('2027-01-01', '2027-06-30') }))
    expect(shown(await read(text, { observedAt: '2027-01-15' }), 'observed_at')).toEqual(['2027-01-15'])
    expect(await read(text)).toMatchObject([
      { detail: 'valid from 2027-01-01 to 2027-06-30, seen at 2026-03-02T07:30:00.000Z' },
    ])
  })

  test.each([
    ['no price at all', article(''), 'NO_PRICE'],
    ['no amount', article(price('')), 'NO_PRICE'],
    ['an amount of 0', article(price('0.00')), 'NO_PRICE'],
    ['an amount in words', article(price('12 EUR')), 'BAD_PRICE'],
    ['an amount that is 1234 or 1.234', article(price('1,234')), 'BAD_PRICE'],
    ['a factor of 0', article(price('5', '<PRICE_FACTOR>0</PRICE_FACTOR>')), 'BAD_PRICE'],
    ['a tier that cannot be told', article(price('5', '<LOWER_BOUND>ab 10</LOWER_BOUND>')), 'BAD_PRICE'],
    ['a quantity of 0', article(price('5'), { order: '<PRICE_QUANTITY>0</PRICE_QUANTITY>' }), 'BAD_PRICE'],
    ['a type of its own', article(price('5', '', 'udp_partner')), 'UNKNOWN_PRICE_TYPE'],
    ['express delivery', article(price('5', '', 'net_customer_exp')), 'NOT_A_PRICE'],
    ['a daily price', article(price('5'), { dates: '<DAILY_PRICE>TRUE</DAILY_PRICE>' }), 'NOT_A_PRICE'],
    ['mode delete', article(price('5'), { attributes: ' mode="delete"' }), 'NOT_A_PRICE'],
    ['more prices than any', article(price('5').repeat(1001)), 'TOO_MANY_PRICES'],
  ])('are refused with %s', async (_what, text, reason) => {
    expect(shown(await read(catalogue(text), {}, 65_536), 'price')).toEqual([reason])
  })

  test('accept a comma, a pack, and a unit of content that equals the unit', async () => {
    const sold = async (order: string) =>
      shown(await readArticle(price('1.234,50'), { order }), 'price', 'unit', 'pack_quantity', 'pack_unit')
    const content = '<CONTENT_UNIT>PCE</CONTENT_UNIT>'
    expect(await sold(`<ORDER_UNIT>BX</ORDER_UNIT>${content}<NO_CU_PER_OU>6</NO_CU_PER_OU>`)).toEqual([
      '1234.5 BX 6 PCE',
    ])
    expect(await sold(`${ORDER}${content}<NO_CU_PER_OU>1</NO_CU_PER_OU>`)).toEqual(['1234.5 PCE'])
    expect(await sold(`<ORDER_UNIT>BX</ORDER_UNIT>${content}`)).toEqual(['1234.5 BX'])
  })

  test.each([
    ['PA', '', '', 'spa', 'packet', 'pack'],
    ['PA', 'C62', '100', 'spa', 'packet 100 C62', '100 u'],
    ['ST', '', '', 'deu', 'ST', 'u'],
    ['ST', '', '', 'fra', 'sheet', 'sheet'],
    ['BX', 'PA', '4', 'deu', 'BX 4 packet', '4 pack'],
    ['PA', 'ST', '10', 'deu', 'packet 10 ST', '10 u'],
    ['D97', 'SA', '48', 'deu', 'pallet 48 sack', '48 bag'],
    ['KG', 'KGM', '25', 'deu', 'keg 25 KGM', '25 kg'],
    ['KG', 'C62', '120', 'deu', 'KG 120 C62', 'kg'],
    ['KG', 'KG', '1', 'deu', 'KG', 'kg'],
    ['Gebinde', 'LTR', '10', 'deu', 'Gebinde 10 LTR', '10 l'],
  ])('for a %s of %s %s, in %s, become a %s, in words %s', async (unit, content, holds, language, columns, label) => {
    const order = `<ORDER_UNIT>${unit}</ORDER_UNIT><CONTENT_UNIT>${content}</CONTENT_UNIT><NO_CU_PER_OU>${holds}</NO_CU_PER_OU>`
    const header = HEADER.replace('deu', language)
    const [record] = (await read(catalogue(article(price('5'), { order }), { header }))) as [RawRecord]
    const { fields } = record
    expect(shown([record], 'unit', 'pack_quantity', 'pack_unit')).toEqual([columns])
    const pack = fields.pack_unit ? { quantity: fields.pack_quantity ?? '', unit: fields.pack_unit } : null
    expect(soldUnit({ unit: fields.unit ?? null, pack, lang: fields.lang }).label).toBe(label)
    expect(record.raw).toContain(order)
  })

  test.each(['T_UPDATE_PRODUCTS', 'T_UPDATE_PRICES'])('are read from %s too', async (transaction) => {
    expect(shown(await read(catalogue(article(price('5')), { transaction })), 'price')).toEqual(['5'])
  })

  test('read any bytes without throwing', async () => {
    const whole = catalogue(article(price('5', '<TAX>0.19</TAX><LOWER_BOUND>1</LOWER_BOUND>').repeat(2)))
    const cut = fc.tuple(fc.nat(whole.length), fc.nat(60), fc.string({ unit: 'binary', maxLength: 4 }))
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { maxLength: 3 }), async (cuts) => {
        let text = whole
        for (const [at, length, put] of cuts) text = text.slice(0, at) + put + text.slice(at + length)
        for (const record of await read(text, {}, 65_536)) expect(record.position).toMatch(/^b\.xml item \d/)
      }),
    )
  })

  test('are read up to the place where a file is truncated', async () => {
    const text = catalogue(article(price('5')) + article(price('6')))
    const records = await read(text.slice(0, text.lastIndexOf('<PRICE_AMOUNT>')))
    expect(shown(records, 'price')).toEqual(['5', 'UNEXPECTED_END'])
    expect(records[1]).toMatchObject({ position: 'b.xml item 2', endsFile: true })
  })
})

describe('the category of an article', () => {
  const group = (id: string, name: string, parent: string, type = 'node') =>
    `<CATALOG_STRUCTURE type="${type}"><GROUP_ID>${id}</GROUP_ID><GROUP_NAME>${name}</GROUP_NAME><PARENT_ID>${parent}</PARENT_ID></CATALOG_STRUCTURE>`
  const tree = `<CATALOG_GROUP_SYSTEM>${group('1', 'Katalog', '0', 'root')}${group('2', 'Befestigung', '1')}${group('3', 'Dübel &gt; 6 mm', '2', 'leaf')}</CATALOG_GROUP_SYSTEM>`
  const map = (id: string) =>
    `<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>A1</ART_ID><CATALOG_GROUP_ID>${id}</CATALOG_GROUP_ID></ARTICLE_TO_CATALOGGROUP_MAP>`
  const classes = `<CLASSIFICATION_SYSTEM><CLASSIFICATION_SYSTEM_NAME>Ours</CLASSIFICATION_SYSTEM_NAME><CLASSIFICATION_GROUPS>
    <CLASSIFICATION_GROUP><CLASSIFICATION_GROUP_ID>9</CLASSIFICATION_GROUP_ID><CLASSIFICATION_GROUP_NAME>Nylon</CLASSIFICATION_GROUP_NAME></CLASSIFICATION_GROUP>
    </CLASSIFICATION_GROUPS></CLASSIFICATION_SYSTEM>`
  const rest = `<ARTICLE_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>ETIM</REFERENCE_FEATURE_SYSTEM_NAME><REFERENCE_FEATURE_GROUP_ID>9</REFERENCE_FEATURE_GROUP_ID></ARTICLE_FEATURES>
    <ARTICLE_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>Ours</REFERENCE_FEATURE_SYSTEM_NAME><REFERENCE_FEATURE_GROUP_ID>9</REFERENCE_FEATURE_GROUP_ID></ARTICLE_FEATURES>`
  const one = article(price('5'), { rest })

  test.each([
    ['the group that the file maps it to at its end', tree + one + map('3') + map('2'), 'Befestigung > Dübel › 6 mm'],
    ['a classification that the file explains', classes + tree + one, 'Nylon'],
    ['the mapped group before a classification', classes + tree + one + map('2'), 'Befestigung'],
    ['nothing where no group is known', one + map('3'), ''],
    [
      'as far as it goes where groups hold each other',
      group('2', 'a', '3') + group('3', 'b', '2') + one + map('3'),
      'a > b > a > b > a > b > a > b > a > b > a > b',
    ],
  ])('is %s', async (_what, text, expected) => {
    for (const length of [7, 65_536]) {
      expect(shown(await read(catalogue(text), {}, length), 'category_path')).toEqual([expected])
    }
    const utf16 = Buffer.from(`\ufeff${catalogue(text)}`, 'utf16le')
    expect(shown(await read(utf16, {}, 5), 'category_path')).toEqual([expected])
  })
})

describe('the prices of BMEcat 2005', () => {
  const product = `<b:PRODUCT><b:SUPPLIER_PID>P1</b:SUPPLIER_PID><b:PRODUCT_DETAILS>
    <b:DESCRIPTION_SHORT lang="eng">Copper pipe</b:DESCRIPTION_SHORT><b:DESCRIPTION_SHORT lang="deu">Kupferrohr</b:DESCRIPTION_SHORT>
    <b:INTERNATIONAL_PID type="upc">1</b:INTERNATIONAL_PID><b:INTERNATIONAL_PID type="gtin">8712670911213</b:INTERNATIONAL_PID>
    <b:MANUFACTURER_PID>KR 15</b:MANUFACTURER_PID></b:PRODUCT_DETAILS>
    <b:PRODUCT_ORDER_DETAILS><b:ORDER_UNIT>RO</b:ORDER_UNIT><b:CONTENT_UNIT>MTR</b:CONTENT_UNIT><b:NO_CU_PER_OU>25</b:NO_CU_PER_OU></b:PRODUCT_ORDER_DETAILS>
    <b:PRODUCT_PRICE_DETAILS><b:VALID_START_DATE>2026-01-01</b:VALID_START_DATE><b:VALID_END_DATE>2026-06-30T00:00:00</b:VALID_END_DATE>
    <b:PRODUCT_PRICE price_type="net_list"><b:PRICE_AMOUNT>8.4</b:PRICE_AMOUNT><b:PRICE_CURRENCY>EUR</b:PRICE_CURRENCY>
    <b:TAX_DETAILS><b:TAX_TYPE>env</b:TAX_TYPE><b:TAX>0.01</b:TAX></b:TAX_DETAILS><b:TAX_DETAILS><b:TAX_TYPE>vat</b:TAX_TYPE><b:TAX>0.2</b:TAX></b:TAX_DETAILS>
    <b:AREA_REFS><b:AREA_IDREF>west</b:AREA_IDREF></b:AREA_REFS>
    <b:PRICE_BASE><b:PRICE_UNIT>MTR</b:PRICE_UNIT><b:PRICE_UNIT_FACTOR>25</b:PRICE_UNIT_FACTOR></b:PRICE_BASE></b:PRODUCT_PRICE>
    </b:PRODUCT_PRICE_DETAILS></b:PRODUCT>`
  const document = `<b:BMECAT xmlns:b="http://www.bmecat.org/bmecat/2005" version="2005"><b:HEADER><b:CATALOG>
    <b:LANGUAGE>eng</b:LANGUAGE><b:LANGUAGE default="true">deu</b:LANGUAGE><b:GENERATION_DATE>2026-06-30T20:00:00</b:GENERATION_DATE>
    <b:AREAS><b:AREA><b:AREA_ID>west</b:AREA_ID><b:TERRITORIES><b:TERRITORY>GB</b:TERRITORY></b:TERRITORIES></b:AREA></b:AREAS></b:CATALOG>
    <b:PARTIES><b:PARTY><b:PARTY_ROLE>buyer</b:PARTY_ROLE><b:ADDRESS><b:NAME>Any</b:NAME></b:ADDRESS></b:PARTY>
    <b:PARTY><b:PARTY_ROLE>supplier</b:PARTY_ROLE><b:ADDRESS><b:NAME>Pipes Ltd</b:NAME></b:ADDRESS></b:PARTY></b:PARTIES></b:HEADER>
    <b:T_NEW_CATALOG>${product}</b:T_NEW_CATALOG></b:BMECAT>`

  test('come from products under any prefix, in the unit of their price base', async () => {
    expect(await read(document)).toMatchObject([
      {
        position: 'b.xml item 1',
        fields: {
          vendor_ref: 'P1',
          name: 'Kupferrohr',
          lang: 'de',
          gtin: '8712670911213',
          manufacturer_ref: 'KR 15',
          price: '8.4',
          currency: 'EUR',
          unit: 'MTR',
          pack_quantity: '',
          tax_rate: '0.2',
          region: 'GB',
          observed_at: '2026-06-30T20:00:00',
          source: 'Pipes Ltd',
        },
      },
    ])
  })

  test('use the available language, and refuse a formula', async () => {
    const english = document.replace(/<b:DESCRIPTION_SHORT lang="deu">.*?SHORT>/, '')
    expect(shown(await read(english), 'name', 'lang')).toEqual(['Copper pipe en'])
    const formula = document.replace(/<b:PRICE_AMOUNT>.*?AMOUNT>/, '<b:PRICE_FORMULA/>')
    expect(await read(formula)).toMatchObject([{ reason: 'NO_PRICE', detail: 'a formula gives the price' }])
  })
})
