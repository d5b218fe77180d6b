import { foldText } from '@catalog/core/text.ts'
import { expect, test } from 'vitest'
import { respelled } from './spelling.ts'

test.each([
  ['swich 2 way', 'switch 2 way'],
  ['plasterbord 13 mm', 'plasterboard 13 mm'],
  ['lamina asfautica', 'lamina asfaltica'],
  ['cemetn 25 kg', 'cement 25 kg'],
])('%j is meant as %j', (text, expected) => {
  expect(respelled(text)).toBe(expected)
})

test.each(['concierto', 'vajilla', 'pañales', 'patatas', 'coffee 1 kg'])(
  '%j is an everyday word, and no error',
  (text) => {
    expect(respelled(foldText(text))).toBeNull()
  },
)

test('leaves words of the trade, short words, numbers and words like nothing as they are', () => {
  for (const text of ['cement 25 kg', 'placa de yeso laminado', 'cal 25', 'b500s', 'zyxwvu', '', 'col']) {
    expect(respelled(text)).toBeNull()
  }
})
