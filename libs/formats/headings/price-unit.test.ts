import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { expect, test } from 'vitest'

/** "1.00/100 pcs" of each record of a CSV file, or its reason. */
async function prices(csv: string): Promise<string[]> {
  const said: string[] = []
  const defaults = { source: 'S', currency: 'EUR', observedAt: '2026-01-01', notAfter: new Date('2026-11-21') }
  for await (const { outcomes } of readOutcomes(bytesSource('f.csv', Buffer.from(csv)), { defaults })) {
    for (const { result } of outcomes) {
      if ('reason' in result) said.push(result.reason)
      else {
        const { price, unit, pack } = result.content
        said.push(`${price.cents}/${price.per_quantity} ${unit}${pack ? ` of ${pack.quantity} ${pack.unit}` : ''}`)
      }
    }
  }
  return said
}

test.each(['Price unit', 'Per', 'je', 'pro', 'Unité de prix', 'Per Qty', 'UOM Qty', 'Preiseinheit', 'Prijseenheid'])(
  'whole numbers below "%s" are the quantity that a price is for',
  async (heading) => {
    const csv = `SKU;Name;Price;${heading};Unit\n1;Screw;3,50;100;pcs\n2;Nail;3,50;1.000;pcs\n3;Pipe;3,50;;m\n4;Bend;3,50;x;m\n`
    expect(await prices(csv)).toEqual(['350/100 pcs', '350/1000 pcs', '350/1 m', 'BAD_PRICE'])
  },
)

test('words below it are the unit, instead of a unit of the goods that differs', async () => {
  expect(await prices('SKU,Name,Price,Price unit\n1,Tile,20,m²\n2,Bend,3,100 pcs\n')).toEqual([
    '2000/1 m²',
    '300/1 100 pcs',
  ])
  expect(await prices('SKU,Name,Unit,Price,Price unit\n1,Tile,box,20,m²\n2,Bend,pcs,3,pcs\n')).toEqual([
    '2000/1 m²',
    '300/1 pcs',
  ])
  expect(await prices('SKU,Name,Unit,Price,Preiseinheit\n1,Tile,box,20,m²\n')).toEqual(['2000/1 m²'])
  // Where it is blank, the unit of the goods stays.
  expect(await prices('SKU,Name,Unit,Price,per\n1,Tile,box,20,\n2,Bend,pcs,3,pcs\n')).toEqual([
    '2000/1 box',
    '300/1 pcs',
  ])
})

test('a quantity with one mark is read by the mark of the prices, and refused without', async () => {
  expect(await prices('SKU;Name;Price;Per\n1;Screw;3.50;1,000\n')).toEqual(['350/1000 null'])
  expect(await prices('SKU;Name;Price;Per\n1;Screw;3.50;1.000\n')).toEqual(['350/1 null'])
  expect(await prices('SKU;Name;Price;Per\n1;Screw;3;1.000\n')).toEqual(['BAD_PRICE'])
})

test('a currency below it is no unit, and the contents of a box are no price unit', async () => {
  expect(await prices('SKU,Name,Price,Price unit\n1,Tile,20,EUR\n')).toEqual(['2000/1 null'])
  expect(await prices('SKU,Name,UOM,UOM Qty,Price\n1,Screw,BX,100,20\n2,Saw,EA,1,20\n')).toEqual([
    '2000/1 BX',
    '2000/1 EA',
  ])
})

test('an empty column may hold numbers beyond the sample', async () => {
  const rows = Array.from({ length: 1_500 }, (_, i) => `${i},Tile ${i},3.50,${i === 1_499 ? 100 : ''}`)
  expect((await prices(`SKU,Name,Price,Per\n${rows.join('\n')}\n`)).at(-1)).toBe('350/100 null')
})

test.each([
  'Unid',
  'Unid.',
  'Unidad(es)',
  'Unids.',
  'Und',
  'Und.',
  'UN',
  'U/M',
  'Einh.',
  'j.m.',
  'Eenheid',
  'Unidad de venta',
])('the column "%s" is the unit of the goods', async (heading) => {
  expect(await prices(`SKU;Name;Price;${heading}\n1;Screw;3,50;m2\n`)).toEqual(['350/1 m2'])
})

test('a pack in words is sold where the unit is a pack, and tells how pieces are packed where it is a piece', async () => {
  const csv = (...rows: string[]) => ['Código;Descrição;Un;Embalagem;Preço', ...rows].join('\n')
  expect(
    await prices(
      csv(
        '1;Parafuso 4x40;PC;pct c/100;12,50',
        '2;Bucha 8;CX;cx c/ 50 un;7,00',
        '3;Tijolo;PC;;0,90',
        '4;Tomada;PC;cx c/10;9,90',
        '5;Tubo;UN;pct c/10;19,90',
        '6;Cabo;M;rolo c/ 100 m;2,10',
        '7;Prego;CX;100;7,00',
      ),
    ),
  ).toEqual(['1250/1 PC of 100 u', '700/1 CX of 50 u', '90/1 PC', '990/1 PC', '1990/1 UN', '210/1 M', '700/1 CX'])
})
