import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { expect, test } from 'vitest'
import { wholeTexts } from './whole-texts.ts'

const book = (texts: readonly [summary: string, text: string][]) =>
  ({ concepts: new Map(texts.map(([summary, text], i) => [`c${i}`, { summary, text }])) }) as unknown as PriceBook
const read = (texts: readonly [summary: string, text: string][]) =>
  texts.map(([text], i) => wholeTexts(book(texts))({ code: `c${i}`, text }))

test('a summary that the program cut goes on in the long text, or is marked', () => {
  const cut: [string, string][] = [
    ['Conductor de Cu. flexible, ai', 'slamiento 0,6/1 Kv de 1x240 mm2'],
    ['Codo de 90º en PVC de diámet', 'ro 500 mm'],
    ['Tubo de acero de calidad A-52', ''],
    ['Puerta', 'de madera'],
  ]
  expect(read(cut)).toEqual([
    { text: 'Conductor de Cu. flexible, aislamiento 0,6/1 Kv de 1x240 mm2', isCut: false },
    { text: 'Codo de 90º en PVC de diámet ro 500 mm', isCut: false },
    { text: 'Tubo de acero de calidad A-52', isCut: true },
    { text: 'Puerta', isCut: false },
  ])
})

test('the summary is the text where nobody cut it, and the long text only without one', () => {
  const texts = read([
    ['Fábrica de ladrillo perforado', 'Fábrica de ladrillo perforado, incluso p.p. de medios auxiliares'],
    ['Enfoscado maestreado y fratasado a mano', 'Medido a cinta corrida.'],
    ['Puerta', ''],
    ['Zócalo', ''],
    ['Alicatado', ''],
    ['', 'Excavación en zanja'],
  ])
  expect(texts.map(({ text }) => text)).toEqual([
    'Fábrica de ladrillo perforado',
    'Enfoscado maestreado y fratasado a mano',
    'Puerta',
    'Zócalo',
    'Alicatado',
    'Excavación en zanja',
  ])
})
