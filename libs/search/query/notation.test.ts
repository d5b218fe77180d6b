import { describe, expect, test } from 'vitest'
import { spelledStandards, writtenOut } from './notation.ts'

describe('a standard', () => {
  test.each([
    ['nbr-7480', ['nbr 7480', 'nbr7480', 'nbr-7480', 'abnt nbr 7480:2007', 'norma nbr 7480', 'nbr no 7480']],
    ['en-520', ['en 520', 'une-en 520', 'une en 520:2005', 'np en 520', 'din en 520']],
    ['en-197-1', ['une-en 197-1', 'np en 197-1:2012', 'en 197-1']],
    ['nmx-c-414', ['nmx-c-414', 'nmx c 414', 'nmx-c-414-onncce', 'nmx c414']],
    ['astm-a-615', ['astm a615', 'astm a 615', 'astm a-615']],
    ['nch-204', ['nch 204', 'nch204', 'nch 204.of2006']],
    ['ntp-339.034', ['ntp 339.034', 'ntp 339.034-2015']],
  ])('%s has one spelling', (spelling, spellings) => {
    for (const written of spellings) expect(spelledStandards(written)).toBe(spelling)
  })

  test('is no preposition before a size', () => {
    for (const text of ['placa en 13', 'corte en 120 mm', 'tubo en 3 m']) expect(spelledStandards(text)).toBe(text)
  })
})

test('abbreviations are written out, and "each" is not', () => {
  expect(writtenOut('arena p/mortero')).toBe('arena para mortero')
  expect(writtenOut('massa p alisar parede')).toBe('massa para alisar parede')
  expect(writtenOut('tubo p 32')).toBe('tubo p 32')
  expect(writtenOut('porta c/ batente s/ ferragem')).toBe('porta con batente sin ferragem')
  expect(writtenOut('ladrillo c/u')).toBe('ladrillo c/u')
  expect(writtenOut('lamina cal. 26')).toBe('lamina calibre 26')
  expect(writtenOut('saco cal 25 kg')).toBe('saco cal 25 kg')
  expect(writtenOut('tornillo m10x50')).toBe('tornillo m10x50')
  expect(writtenOut('varilla roscada de 12 zincada')).toBe('varilla roscada m12 zincada')
  expect(writtenOut('gewindestange verzinkt 10er')).toBe('gewindestange verzinkt m10')
  expect(writtenOut('varilla roscada 12 mm')).toBe('varilla roscada 12 mm')
  expect(writtenOut('tubo 6 mts x 3 cms')).toBe('tubo 6 m x 3 cm')
})

test('sections of German beams are in centimetres, those of battens in millimetres', () => {
  expect(writtenOut('kvh nsi 8/20')).toBe('kvh nsi 80x200 mm')
  expect(writtenOut('kantholz fichte 10x12')).toBe('kantholz fichte 100x120 mm')
  expect(writtenOut('kvh 60x120 mm')).toBe('kvh 60x120 mm')
  expect(writtenOut('dachlatte 30/50')).toBe('dachlatte 30/50')
})

test('openings in decimals are in metres', () => {
  expect(writtenOut('janela de aluminio 1,20x1,50')).toBe('janela de aluminio 1,20x1,50 m')
  expect(writtenOut('ventana 120x150')).toBe('ventana 120x150')
  expect(writtenOut('puerta 0.80x2.10 m')).toBe('puerta 0.80x2.10 m')
})

test('a slash of English boards is no preposition', () => {
  expect(writtenOut('12.5mm p/board te')).toBe('12.5mm p/board te')
})
