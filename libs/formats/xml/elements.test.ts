import { bytesSource, isBroken } from '@catalog/formats/bytes/record.ts'
import { all, inPieces } from '@catalog/stack/testing/archives.ts'
import { describe, expect, test } from 'vitest'
import { readElements } from './elements.ts'

type Given = { records: string; columns?: readonly string[]; piece?: number }
async function read(xml: string, { records, columns = [], piece }: Given) {
  const bytes = Buffer.from(xml)
  const source = piece === undefined ? bytesSource('f.xml', bytes) : inPieces('f.xml', bytes, piece)
  return all(readElements(source, { name: 'f.xml', records, columns }))
}
const fieldsOf = async (xml: string, given: Given) =>
  (await read(xml, given)).map((record) => (isBroken(record) ? record.reason : { ...record.fields }))

/** Price, unit and code as attributes; the long text beside the list of prices; chapters as attributes. */
const LEAVES = `<?xml version="1.0"?>
<list ed="2026"><chapter desc="SOIL"><par n="1"><short>Dig</short><long>Dig &amp; load, as <![CDATA[<drawn>]]></long>
<prices><price cod="A1" um="m³" val="3.40">Dig to 2 m</price><price cod="A2" um="m³" val="4.10">Dig to 4 m</price></prices></par>
<par n="2"><prices><price cod="B1" um="m" val="9">Drain</price></prices></par></chapter></list>`

describe('elements of an XML document', () => {
  test('are records: attributes, own text and texts of the elements around them', async () => {
    const columns = ['../../long', '../../@n', '../../../@desc', '../../../../@ed', '..']
    const around = { '../../../@desc': 'SOIL', '../../../../@ed': '2026', '..': '' }
    const first = { ...around, '../../long': 'Dig & load, as <drawn>', '../../@n': '1' }
    const expected = [
      { '.': 'Dig to 2 m', '@cod': 'A1', '@um': 'm³', '@val': '3.40', ...first },
      { '.': 'Dig to 4 m', '@cod': 'A2', '@um': 'm³', '@val': '4.10', ...first },
      { '.': 'Drain', '@cod': 'B1', '@um': 'm', '@val': '9', ...around, '../../long': '', '../../@n': '2' },
    ]
    expect(await fieldsOf(LEAVES, { records: 'prices/price', columns })).toEqual(expected)
    for (const piece of [1, 7, 64]) {
      expect(await fieldsOf(LEAVES, { records: 'prices/price', columns, piece })).toEqual(expected)
    }
  })

  test('have children by path, whatever their prefix; the first of repeated ones counts', async () => {
    const xml =
      '<E:list xmlns:E="u"><E:head><E:of year="2025"/></E:head><E:body><E:item E:code="X"><E:unit>m</E:unit>' +
      '<E:price>5</E:price><E:parts><E:part>a</E:part><E:part>b</E:part><E:sum value="4"/></E:parts></E:item></E:body></E:list>'
    expect(await fieldsOf(xml, { records: 'body/item', columns: ['../../head/of/@year'] })).toEqual([
      {
        '.': '',
        '@code': 'X',
        unit: 'm',
        price: '5',
        parts: '',
        'parts/part': 'a',
        'parts/sum': '',
        'parts/sum/@value': '4',
        '../../head/of/@year': '2025',
      },
    ])
  })

  test('take the last text above them, and none of a chapter before', async () => {
    const xml = '<l><g><t>One</t><i c="1"/><t>Two</t><i c="2"/><i c="3"/></g><g><i c="4"/></g></l>'
    const found = await fieldsOf(xml, { records: 'i', columns: ['../t'] })
    expect(found.map((fields) => typeof fields === 'object' && [fields['@c'], fields['../t']])).toEqual([
      ['1', 'One'],
      ['2', 'Two'],
      ['3', 'Two'],
      ['4', ''],
    ])
  })

  test('take the own text of the element around them', async () => {
    const xml = '<l>\n <g>Walls &amp;\n  floors <i c="1"/>\n <i c="2"/></g></l>'
    for (const piece of [1, 5, 100]) {
      const found = await fieldsOf(xml, { records: 'i', columns: ['..'], piece })
      expect(found.map((fields) => typeof fields === 'object' && fields['..'])).toEqual([
        'Walls & floors',
        'Walls & floors',
      ])
    }
  })

  test('are told apart by the elements around them', async () => {
    const xml = '<l><old><i c="1"/></old><new><i c="2"/></new></l>'
    expect(await fieldsOf(xml, { records: 'new/i' })).toEqual([{ '.': '', '@c': '2' }])
    expect(await fieldsOf(xml, { records: 'new.i' })).toEqual([{ '.': '', '@c': '2' }])
    expect(await read(xml, { records: 'prices/i' })).toMatchObject([
      { reason: 'NO_RECORDS', detail: "records 'prices/i': no such element in the document, which has l, old, i, new" },
    ])
  })

  test('of a hostile document stay bounded', { timeout: 60_000 }, async () => {
    const wide = `<l><i>${Array.from({ length: 2_000 }, (_, n) => `<v${n}>1</v${n}>`).join('')}</i><i c="2"/></l>`
    expect(await fieldsOf(wide, { records: 'i' })).toEqual(['TOO_MANY_COLUMNS', { '.': '', '@c': '2' }])
    const attributes = Array.from({ length: 5_000 }, (_, n) => `a${n}="${'x'.repeat(50)}"`).join(' ')
    const around = `<l ${attributes} text="last">${'y'.repeat(3_000_000)}<i c="1"/></l>`
    const [record] = await fieldsOf(around, { records: 'i', columns: ['../@a0', '../@text', '..'] })
    expect(record).toMatchObject({ '../@a0': 'x'.repeat(50), '../@text': '' })
    expect(typeof record === 'object' && record['..']?.length).toBe(65_536)
    const deep = `${'<d>'.repeat(50_000)}<i c="1"/>`
    const found = await read(deep, { records: 'i', columns: ['../@c'] })
    expect(found.every(isBroken)).toBe(true)
    const cut = await fieldsOf('<l><i c="1"/><i c="2"', { records: 'i' })
    expect(cut).toEqual([{ '.': '', '@c': '1' }, 'UNEXPECTED_END'])
  })

  test('are as many as the document has, in the memory of one', { timeout: 60_000 }, async () => {
    const source = {
      name: 'f.xml',
      whole: async () => Buffer.alloc(0),
      async *open() {
        yield Buffer.from('<l><g><t>T</t>')
        for (let n = 0; n < 2_000; n++) yield Buffer.from('<i c="1"><p>1.50</p></i>'.repeat(50))
        yield Buffer.from('</g></l>')
      },
    }
    let count = 0
    for await (const batch of readElements(source, { name: 'f.xml', records: 'i', columns: ['../t'] })) {
      count += batch.filter((record) => !isBroken(record) && record.fields['../t'] === 'T').length
    }
    expect(count).toBe(100_000)
  })
})
