import type { MatchText } from '@catalog/core/matching/sku-reading.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ReferenceUse, reuses, type Said } from './reference-uses.ts'

const text = (name: string, more: Partial<MatchText> = {}): MatchText => ({ name, unit: 'ud', lang: 'es', ...more })
const said = (month: number, what: string | MatchText, isHidden = false): Said => ({
  observedAt: `2026-${String(month).padStart(2, '0')}-01T00:00:00Z`,
  text: typeof what === 'string' ? text(what) : what,
  isHidden,
})
const MEANINGS = new Map([
  ['cemento', 'cement'],
  ['cement', 'cement'],
  ['pintura', 'paint'],
])
const meaningOf = ({ name }: MatchText) => MEANINGS.get(name.toLowerCase().split(' ')[0] as string)
const meaning = (a: MatchText, b: MatchText) => {
  const [one, other] = [meaningOf(a), meaningOf(b)]
  return one === undefined || other === undefined ? null : one === other
}
const decided = (history: readonly Said[], uses: readonly ReferenceUse[] = []) =>
  reuses(history, uses, meaning).map(({ since, n, about }) => `${since.slice(5, 7)} is ${n}: ${about}`)

describe('a reference stands for another article', () => {
  test.each([
    ['another size', 'Cemento 25 kg', 'Cemento 20 kg', 'mass'],
    ['another colour', 'Pintura blanca 5 l', 'Pintura azul 5 l', 'colour'],
    ['another unit', text('Arena', { unit: 'kg' }), text('Arena', { unit: 'm3' }), 'unit'],
    ['another meaning', 'Cemento 25 kg', 'Pintura', 'article'],
    ['another meaning and unit', 'Cemento 25 kg', text('Pintura 5 l', { unit: 'l' }), 'article'],
    ['no common word of one language', 'Arqueta registrable', 'Escuadra reforzada', 'article'],
  ])('%s', (_, before, after, about) => {
    expect(decided([said(1, before), said(2, before), said(3, after), said(4, after)])).toEqual([`03 is 1: ${about}`])
  })

  test.each([
    ['the order of words', 'Cemento portland saco 25 kg', 'Saco 25 kg cemento portland'],
    ['an added brand', 'Cemento 25 kg', 'Holcim cemento CEM II 25 kg'],
    ['an abbreviation', 'CEM.PORTL.SC.25KG', 'Cemento portland saco 25 kg'],
    ['a translation', 'Cemento 25 kg', text('Cement 25 kg', { lang: 'en' })],
    ['a translation of unknown words', 'Arqueta', text('Manhole', { lang: 'en' })],
    ['a size that only one text states', 'Cemento', 'Cemento 25 kg'],
    ['the same size in another unit', 'Cemento 25 kg', 'Cemento 25000 g'],
    ['a corrected GTIN', text('Cemento', { gtin: '4006381333931' }), text('Cemento', { gtin: '4003994155486' })],
    [
      'one reference of the maker',
      text('Arqueta', { manufacturerRef: 'AX-100200' }),
      text('Escuadra', { manufacturerRef: 'AX 100200' }),
    ],
    ['letters without words', text('A-1'), text('B-2')],
  ])('not %s', (_, before, after) => {
    expect(decided([said(1, before), said(2, after)])).toEqual([])
  })

  test('a size that was said before counts, whatever was said since', () => {
    expect(decided([said(1, 'Cemento 25 kg'), said(2, 'Cemento'), said(3, 'Cemento 20 kg')])).toEqual(['03 is 1: mass'])
  })

  test('the former article comes back under its number', () => {
    const history = [said(1, 'Cemento 25 kg'), said(2, 'Cemento 20 kg'), said(3, 'Pintura'), said(4, 'Cemento 25 kg')]
    expect(decided(history)).toEqual(['02 is 1: mass', '03 is 2: article', '04 is 0: article'])
  })

  test('a late text keeps the numbers of the others', () => {
    const uses = [{ since: '2026-03-01T00:00:00Z', n: 1 }]
    const known = [said(1, 'Cemento 25 kg'), said(3, 'Cemento 20 kg')]
    expect(decided([...known, said(2, 'Pintura')], uses)).toEqual(['02 is 2: article'])
    expect(decided([...known, said(2, 'Cemento 20 kg')], uses)).toEqual(['02 is 1: mass'])
    // The archive of a vendor: what a reference stood for before it was first crawled.
    expect(decided([said(3, 'Cemento 25 kg'), said(1, 'Pintura')])).toEqual(['01 is 1: article', '03 is 0: article'])
  })

  test('a retraction of the text that caused it brings the former article back', () => {
    const uses = [{ since: '2026-02-01T00:00:00Z', n: 1 }]
    expect(decided([said(1, 'Cemento 25 kg'), said(2, 'Pintura', true)], uses)).toEqual(['02 is 0: article'])
    // The vendor retracts its earlier texts: the present article keeps its number.
    expect(decided([said(1, 'Cemento 25 kg', true), said(2, 'Pintura')], uses)).toEqual([])
  })

  test('runs after each text and one run decide the same', () => {
    const texts = ['Cemento 25 kg', 'Cemento 20 kg', 'Cemento', 'Pintura', 'Pintura azul', 'Pintura blanca', 'Arqueta']
    const one = fc.record({ month: fc.integer({ min: 1, max: 12 }), what: fc.constantFrom(...texts) })
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ month }) => month, maxLength: 8 }), (months) => {
        const history = months.map(({ month, what }) => said(month, what))
        const uses: ReferenceUse[] = []
        for (const [at] of history.entries()) uses.push(...reuses(history.slice(0, at + 1), uses, meaning))
        const once = reuses(history, [], meaning)
        for (const { observedAt } of history) expect(standsFor(uses, observedAt)).toBe(standsFor(once, observedAt))
        expect(reuses(history, uses, meaning)).toEqual([])
      }),
    )
  })
})

const standsFor = (uses: readonly ReferenceUse[], at: string) =>
  uses
    .map((use, order) => ({ ...use, order }))
    .filter(({ since }) => since <= at)
    .sort((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.order - b.order))
    .at(-1)?.n ?? 0
