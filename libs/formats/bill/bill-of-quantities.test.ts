import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { describe, expect, test } from 'vitest'
import { readBillOfQuantities } from './bill-of-quantities.ts'

async function read(text: string, columns?: Parameters<typeof readBillOfQuantities>[1]['columns']) {
  const lines = []
  const source = bytesSource('list.csv', Buffer.from(text))
  for await (const line of readBillOfQuantities(source, { format: 'csv', ...(columns && { columns }) }))
    lines.push(line)
  return lines
}

describe('a bill of quantities in a table', () => {
  test.each([
    ['Description,Unit,Quantity\nCement 25 kg,bag,10\n', ['Cement 25 kg', 'bag', '10']],
    ['Cantidad;Ud.;Descripción\n1.250,5;m2;Placa de yeso\n', ['Placa de yeso', 'm2', '1250.5']],
    ['Bezeichnung\tMenge\tEinheit\nGipskartonplatte\t12,5\tm²\n', ['Gipskartonplatte', 'm²', '12.5']],
    ['text\ncable 3x1.5\n', ['cable 3x1.5', null, null]],
  ])('is read by its headings: %j', async (text, [name, unit, quantity]) => {
    expect(await read(text)).toMatchObject([{ position: 'list.csv line 2', text: name, unit, quantity, region: null }])
  })

  test('is read by the given columns', async () => {
    const [line] = await read('a;b;c\nCement;7;ES\n', { text: 'A', quantity: 'b', region: 'c' })
    expect(line).toMatchObject({ text: 'Cement', quantity: '7', region: 'ES' })
  })

  test('yields bad quantities and broken rows as broken records, and skips rows without a text', async () => {
    const lines = await read('item,qty\n,\nCement,many\nSand,1,2,3\nGravel,2\n')
    expect(lines.map((line) => ('reason' in line ? line.reason : line.text))).toEqual([
      'BAD_QUANTITY',
      'WRONG_COLUMN_COUNT',
      'Gravel',
    ])
  })

  test('names a quantity in a unit that no text goes with', async () => {
    const lines = await read('Descripción,Ud,Cantidad\n,ud,3\n,,250\nCemento,kg,25\n')
    expect(lines.map((line) => ('reason' in line ? [line.reason, line.position] : line.text))).toEqual([
      ['NO_TEXT', 'list.csv line 2'],
      'Cemento',
    ])
  })

  test('skips titles and sums, which have no unit and quantity', async () => {
    const rows = 'CAPÍTULO 2 SOLADOS,,\nSub-total,,\nTotal carried forward,,\nTotal station,day,2\nTotally dry sand,,\n'
    const lines = await read(`Descripción,Ud,Cantidad\n${rows}`)
    expect(lines.map((line) => ('text' in line ? line.text : line.reason))).toEqual([
      'Total station',
      'Totally dry sand',
    ])
  })

  test('is refused without a column for the text, naming its columns', async () => {
    await expect(read('a,b\n1,2\n')).rejects.toThrow(/list\.csv: no column for the text .*a \| b/)
    await expect(read('item,b\n1,2\n', { text: 'material' })).rejects.toThrow(/\(material\).*item \| b/)
  })
})
