import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { expect, test } from 'vitest'

/** "A 2026-06-01" for each record of a CSV file, or "A REASON". */
async function said(
  csv: string,
  { observedAt = '2026-06-15', mapping = undefined as object | undefined } = {},
): Promise<string[]> {
  const found: string[] = []
  const defaults = { source: 'S', currency: 'EUR', observedAt, notAfter: new Date('2027-11-21') }
  for await (const { outcomes } of readOutcomes(bytesSource('f.csv', Buffer.from(csv)), {
    defaults,
    mapping,
  } as never)) {
    for (const { result } of outcomes) {
      if ('reason' in result) found.push(`${result.refused?.vendorRef ?? ''} ${result.reason}`)
      else found.push(`${result.content.vendor_ref} ${result.content.observed_at.slice(0, 10)}`)
    }
  }
  return found
}

test.each([
  ['en', 'Valid from;Valid until'],
  ['en', 'Effective date;End date'],
  ['en', 'valid_from;valid_to'],
  ['en', 'validFrom;validThrough'],
  ['es', 'Válido desde;Válido hasta'],
  ['es', 'Inicio vigencia;Fin de vigencia'],
  ['pt', 'Válido de;Válido até'],
  ['fr', 'Valable du;Valable jusqu’au'],
  ['de', 'Gültig ab;Gültig bis'],
  ['de', 'gueltig von;gueltig bis'],
  ['it', 'Valido dal;Valido al'],
  ['it', 'Data inizio validità;Data fine validità'],
  ['en', 'From;To'],
  ['es', 'Desde;Hasta'],
  ['de', 'ab;bis'],
  ['fr', 'Du;Au'],
  ['it', 'Dal;Al'],
])('given columns of validity in %s (%s), then only the price of the day is recorded', async (_lang, headings) => {
  const csv = `ref;name;price;${headings}
A;Brick;1,10;01/01/2025;31/12/2025
B;Brick;1,20;01/01/2026;15/06/2026
C;Brick;1,30;16/06/2026;31/12/2026
D;Brick;1,40;;
E;Brick;1,50;01/06/2026;
F;Brick;1,60;;31/12/9999
`
  const expected = ['A EXPIRED', 'B 2026-06-15', 'C NOT_YET_VALID', 'D 2026-06-15', 'E 2026-06-15', 'F 2026-06-15']
  expect(await said(csv)).toEqual(expected)
})

test.each([
  ['a day as its midnight', '2026-01-01 00:00:00,2026-06-15 00:00:00', 'A 2026-06-15'],
  ['a month', '2026-06,2026-06', 'A 2026-06-15'],
  ['a year', '2026,2026', 'A 2026-06-15'],
  ['the month before', '2026-01,2026-05', 'A EXPIRED'],
  ['zeros of a database', '0000-00-00,0000-00-00', 'A 2026-06-15'],
  ['a dash', '-,-', 'A 2026-06-15'],
  ['serials of a spreadsheet', '46023,46188', 'A 2026-06-15'],
  ['a passed serial', '46023,46187', 'A EXPIRED'],
  ['an end before its start', '2026-06-20,2026-06-01', 'A BAD_DATE'],
  ['no date', '2026-13-45,', 'A BAD_DATE'],
  ['one day to come', '2027-01-01,2027-01-01', 'A NOT_YET_VALID'],
])('given %s, then the period is read', async (_what, dates, outcome) => {
  expect(await said(`ref,name,price,valid from,valid to\nA,Brick,1.10,${dates}\n`)).toEqual([outcome])
})

test('given the order of days by the dates of validity, then they are read by it', async () => {
  const csv =
    'ref,name,price,valid from,valid to\nA,Brick,1.10,06/16/2026,12/31/2026\nB,Brick,1.10,06/01/2026,12/31/2026\n'
  expect(await said(csv)).toEqual(['A NOT_YET_VALID', 'B 2026-06-15'])
})

test.each([
  ['Vigencia', '01/01/2025 - 31/12/2025', 'A EXPIRED'],
  ['Gültigkeit', '01.07.2026 bis 31.12.2026', 'A NOT_YET_VALID'],
  ['Validity period', '2026-01-01/2026-12-31', 'A 2026-06-15'],
  ['Validità', '31/12/2025', 'A EXPIRED'],
  ['Validité', '30/06/2026', 'A 2026-06-15'],
  ['Validity', '30 days', 'A 2026-06-15'],
])('given a range below "%s" (%s), then it is the validity', async (heading, range, outcome) => {
  expect(await said(`ref;name;price;${heading}\nA;Brick;1,10;${range}\n`)).toEqual([outcome])
})

test('given quantities below such a pair, then they are no days', async () => {
  expect(await said('ref,name,price,from,to\nA,Brick,1.10,1,9\n')).toEqual(['A 2026-06-15'])
})

test('given years of two digits, then the mapping that reads them is named, and reads them', async () => {
  const csv = 'ref;name;price;gültig bis\nA;Brick;1,10;31.12.25\n'
  const defaults = { source: 'S', currency: 'EUR', observedAt: '2026-06-15', notAfter: new Date('2027-11-21') }
  const details: string[] = []
  for await (const { outcomes } of readOutcomes(bytesSource('f.csv', Buffer.from(csv)), { defaults }))
    for (const { result } of outcomes) details.push('reason' in result ? result.detail : '')
  expect(details).toEqual([expect.stringContaining('`date_format` of a mapping reads years of two digits')])
  expect(await said(csv, { mapping: { date_format: 'dmy' } })).toEqual(['A EXPIRED'])
})

test('given a date of its own, then a price is valid on that day', async () => {
  const csv = 'ref,name,price,date,valid from,valid to\nA,Brick,1.10,2025-02-01,2025-01-01,2025-12-31\n'
  expect(await said(csv)).toEqual(['A 2025-02-01'])
})

test('given a mapping, then it names the columns of validity', async () => {
  const columns = { vendor_ref: 'a', name: 'b', price: 'c', valid_from: 'd', valid_to: 'e' }
  expect(await said('a,b,c,d,e\nA,Brick,1.10,2026-07-01,\n', { mapping: { columns } })).toEqual(['A NOT_YET_VALID'])
})
