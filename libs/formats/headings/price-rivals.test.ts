import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { expect, test } from 'vitest'

/** "A 1.50" for each record of a CSV file, or "A REASON". */
async function said(csv: string, mapping?: object): Promise<string[]> {
  const found: string[] = []
  const defaults = { source: 'S', currency: 'EUR', observedAt: '2026-01-01', notAfter: new Date('2026-11-21') }
  for await (const { outcomes } of readOutcomes(bytesSource('f.csv', Buffer.from(csv)), {
    defaults,
    mapping,
  } as never)) {
    for (const { result } of outcomes) {
      if ('reason' in result) found.push(`${result.refused?.vendorRef ?? ''} ${result.reason}: ${result.detail}`)
      else found.push(`${result.content.vendor_ref} ${(result.content.price.cents / 100).toFixed(2)}`)
    }
  }
  return found
}
const list = (headings: string, ...rows: readonly string[]) =>
  `ref;name;unit;${headings}\n${rows.map((row, i) => `A${i + 1};Board ${i + 1};m2;${row}\n`).join('')}`

test.each([
  ['es', 'PVP;Dto. cliente;Neto'],
  ['en', 'Price;Discount %;Customer price'],
  ['pt', 'Preço de tabela;Desconto;Preço líquido'],
  ['fr', 'Tarif public;Taux de remise;Prix net'],
  ['de', 'Bruttopreis;Rabattsatz;Ihr Preis'],
  ['it', 'Prezzo di listino;Sconto %;Netto'],
  ['pl', 'Cena katalogowa;Rabat;Cena po rabacie'],
  ['nl', 'Brutoprijs;Korting;Nettoprijs'],
  ['cs', 'Ceníková cena;Sleva;Cena po slevě'],
  ['equal headings', 'precio;dto;precio'],
  ['en of dealers', 'MSRP;Dealer Discount;Dealer Price'],
  ['en of trade', 'Price;Trade discount;Nett'],
  ['it with a number', 'Listino;Sconto1;Netto'],
  ['es bonified', 'Precio;Bonificación;Precio bonificado'],
])('given a list, a discount and a net column in %s, then the net price is read', async (_lang, headings) => {
  expect(await said(list(headings, '12,50;40;7,50', '6,00;35;3,90', '8,00;;8,00'))).toEqual([
    'A1 7.50',
    'A2 3.90',
    'A3 8.00',
  ])
})

test.each([
  ['a chain', '12,50;40+10;6,75', '6,00;50/10;2,70', ['A1 6.75', 'A2 2.70']],
  ['a fraction', '12,50;0,4;7,50', '6,00;0,35;3,90', ['A1 7.50', 'A2 3.90']],
  ['an amount', '12,50;2,00;10,50', '6,00;0,55;5,45', ['A1 10.50', 'A2 5.45']],
  ['a signed share', '12,50;-40 %;7,50', '6,00;-35,0 %;3,90', ['A1 7.50', 'A2 3.90']],
])('given %s as discount, then the net price is read', async (_what, one, other, prices) => {
  expect(await said(list('Precio;Descuento;Precio final', one, other))).toEqual(prices)
})

test.each([
  ['a later price', 'Preis ab 01.01.2027'],
  ['a price of members', 'Mitgliederpreis'],
  ['a subscription', 'Subscription price'],
  ['a deposit', 'Deposit price'],
  ['a weight', 'Gewicht'],
  ['a price of a metre', 'Preis pro m'],
])('given %s that fits a discount, then the rows are asked about', async (_what, heading) => {
  const [first] = await said(list(`Preis;Rabatt;${heading}`, '30,00;10;27,00', '20,00;10;18,00'))
  expect(first).toMatch(/^A1 AMBIGUOUS_OFFER: Preis is 30,00, and Rabatt 10/)
})

test('given two currencies, then the price in the other one is no price after the discount', async () => {
  const [first] = await said(list('Preis EUR;Rabatt;Preis CHF', '20,00;10;18,00'))
  expect(first).toMatch(/AMBIGUOUS_OFFER|NO_COLUMN/)
})

test('given a row without a discount whose two prices differ, then nothing is proved', async () => {
  const said_ = await said(list('Preis;Rabatt;Nettopreis', '6,00;10;5,40', '8,00;0;7,50'))
  expect(said_[0]).toMatch(/^A1 AMBIGUOUS_OFFER/)
  expect(said_[1]).toMatch(/^A2 AMBIGUOUS_OFFER/)
})

test.each([
  ['Preço líquido c/IVA', true],
  ['Endpreis inkl. MwSt.', true],
  ['Net price incl. VAT', true],
  ['Preço líquido s/IVA', false],
  ['Nettopreis (exkl. MwSt.)', false],
])('given %s as the price after the discount, then its tax is known', async (heading, included) => {
  const defaults = { source: 'S', currency: 'EUR', observedAt: '2026-01-01', notAfter: new Date('2026-11-21') }
  const csv = list(`Preis;Rabatt;${heading}`, '10,00;20;8,00')
  for await (const { outcomes } of readOutcomes(bytesSource('f.csv', Buffer.from(csv)), { defaults } as never))
    for (const { result } of outcomes)
      expect(result).toMatchObject({ content: { price: { cents: 800, tax: { included } } } })
  expect.assertions(1)
})

test('given two discounts, then the net price is that after both', async () => {
  expect(await said(list('Precio;Dto 1;Dto 2;Neto', '10,00;40;10;5,40', '20,00;50;;10,00'))).toEqual([
    'A1 5.40',
    'A2 10.00',
  ])
})

test('given a net column with a total beside it, then the net price of a unit is read', async () => {
  const rows = ['2,50;40;1,50;10;15,00', '6,00;35;3,90;1;3,90'] as const
  expect(await said(list('Precio;Dto;Neto;Cantidad;Importe', ...rows))).toEqual(['A1 1.50', 'A2 3.90'])
})

test('given a discount without a net column, then the rows with a discount are asked about', async () => {
  const [first, second] = await said(list('Precio;Dto', '2,50;40', '6,00;0'))
  expect(first).toMatch(/^A1 AMBIGUOUS_OFFER: Precio is 2,50, and Dto 40: expected a mapping/)
  expect(second).toBe('A2 6.00')
})

test('given a discount that begins beyond the sample, then its row is asked about', async () => {
  const rows = Array.from({ length: 1_200 }, (_, i) => (i < 1_199 ? '2,50;;' : '2,50;10;2,25'))
  expect((await said(list('Precio;Dto;Neto', ...rows))).at(-1)).toMatch(/^A1200 AMBIGUOUS_OFFER/)
})

test.each([
  ['a net price that no discount explains', 'Price;Net price', '2,50;1,50', /Price is 2,50, and Net price 1,50/],
  ['a discount of some kind', 'PVP;Descuento máximo', '2,50;30', /PVP is 2,50, and Descuento máximo 30/],
  ['an equal heading', 'Precio;Precio', '2,50;3,10', /Precio is 2,50, and Precio 2 3,10/],
  ['an equal heading of the unit', 'Precio;Unit', '2,50;kg', /unit is m2, and Unit 2? ?kg/],
  ['the prices of two years', 'Precio;2025;2026', '2,50;2,30;2,50', /Precio is 2,50, and 2025 2,30/],
  ['the price of another year', 'Price;Price 2027', '2,50;2,75', /Price is 2,50, and Price 2027 2,75/],
])('given %s beside the price, then the record is asked about', async (_what, headings, row, detail) => {
  const [first] = await said(list(headings, row))
  expect(first).toMatch(/^A1 AMBIGUOUS_OFFER/)
  expect(first).toMatch(detail)
})

test.each([
  ['a list price and a net price', 'Listenpreis;Nettopreis', '2,50;1,50', 'A1 1.50'],
  ['a discount of nothing', 'Precio;Dto', '2,50;0 %', 'A1 2.50'],
  ['a net price alone beside its discount', 'Nettopreis;Rabatt', '1,50;40', 'A1 1.50'],
  ['a weight', 'Precio;Peso neto;Net weight', '2,50;1,00;1,00', 'A1 2.50'],
  ['a group of discounts', 'Precio;Discount group;Rabattgruppe', '2,50;7;7', 'A1 2.50'],
  ['an equal heading with the same value', 'Precio;Precio', '2,50;2,50', 'A1 2.50'],
  ['a year that is no price', 'Precio;2025', '2,50;si', 'A1 2.50'],
])('given %s, then the price is read', async (_what, headings, row, price) => {
  expect(await said(list(headings, row))).toEqual([price])
})

test('given a mapping that names the price, then no column beside it speaks against it', async () => {
  const mapping = { columns: { vendor_ref: 'ref', name: 'name', price: 'PVP' } }
  expect(await said(list('PVP;Dto;Neto', '2,50;40;1,50'), mapping)).toEqual(['A1 2.50'])
})

test.each([
  'Promoção',
  'Preço promocional',
  'Oferta',
  'Promoción',
  'Promotion',
  'Offre',
  'Aktion',
  'Offerta',
  'Cena promocyjna',
  'Actieprijs',
])('a lower price below "%s" is asked about, and a blank, equal or greater one says nothing', async (heading) => {
  const rows = await said(list(`Valor;${heading}`, '12,50;9,90', '6,00;', '8,00;8,00', '5,00;5,50', '7,00;sim'))
  expect(rows).toEqual([expect.stringMatching(/AMBIGUOUS_OFFER: .*9,90/), 'A2 6.00', 'A3 8.00', 'A4 5.00', 'A5 7.00'])
})
