import { describe, expect, test } from 'vitest'
import { spellingProposals, vendorNameKey } from './vendor-spellings.ts'

describe('names of one vendor', () => {
  test.each([
    ['MILESTONE CONTRACTORS, L.P.', 'Milestone Contractors LP'],
    ['Walsh Construction Co., Inc.', 'WALSH CONSTRUCTION'],
    ['E & B Paving, LLC', 'E&B Paving L.L.C.'],
    ['Almacenes Núñez, S.L.', 'ALMACENES NUNEZ SL'],
    ['Obramat S.A.U.', 'Obramat'],
    ['Materiales del Norte, S.A. de C.V.', 'Materiales del Norte SA DE CV'],
    ['Aceros Tapia S. de R.L. de C.V.', 'Aceros Tapia'],
    ['Baustoffe Müller GmbH & Co. KG', 'Baustoffe Muller'],
    ['Edilizia Rossi S.r.l.', 'EDILIZIA ROSSI SRL'],
    ['Cimentos Tejo, Unipessoal Lda.', 'Cimentos Tejo'],
    ['Depósito São João Ltda', 'Deposito Sao Joao'],
    ["O'Brien & Sons Ltd.", 'OBrien Sons Limited'],
    ['Tipo A, S.L.', 'Tipo A SL'],
    ['Grantley Bridge & Road Inc', 'GRANTLEY BRIDGE AND ROAD, INC.'],
    ['Hormigones y Áridos SL', 'Hormigones & Aridos, S.L.'],
    ['J. M. Smith Corp.', 'JM Smith Corporation'],
  ])('%s = %s', (a, b) => expect(vendorNameKey(a)).toBe(vendorNameKey(b)))
})

describe('names of two vendors', () => {
  test.each([
    ['Milestone Contractors North LP', 'Milestone Contractors LP'],
    ['Smith Paving Inc', 'Smith Paving & Sons Inc'],
    ['Almacenes Norte', 'Almacenes Sur'],
    ['Obramat', 'Obramax'],
    ['Route 31 Paving', 'Route 13 Paving'],
    ['E & B Paving', 'B Paving'],
    ['SA', 'SL'],
    ['Cosa', 'Co SA'],
    ['Salco', 'Sal'],
  ])('%s ≠ %s', (a, b) => expect(vendorNameKey(a)).not.toBe(vendorNameKey(b)))
})

describe('proposals', () => {
  const source = (sourceId: string, name: string, region: string | null, trust = 50) => {
    return { sourceId, name, region, trust }
  }
  const idsOf = (...[sources, said = {}]: [Parameters<typeof spellingProposals>[0], object?]) =>
    spellingProposals(sources, { voices: new Map(), apart: new Set<string>(), ...said }).map(
      (found) => `${found.source.sourceId} ${found.canonical.sourceId}`,
    )
  const three = [source('a', 'Norte SL', 'ES'), source('b', 'NORTE, S.L.', 'ES', 70), source('c', 'Norte', 'ES')]

  test('name the source with most trust canonical', () => {
    expect(idsOf(three)).toEqual(['a b', 'c b'])
    expect(idsOf(three.toReversed())).toEqual(['a b', 'c b'])
  })

  test('stay within a region, or join a source without one', () => {
    expect(idsOf([source('a', 'Norte', 'ES'), source('b', 'Norte', 'MX')])).toEqual([])
    expect(idsOf([source('a', 'Norte', 'ES'), source('b', 'Norte', null, 90)])).toEqual(['b a'])
  })

  test('leave out what a person decided', () => {
    expect(idsOf(three, { voices: new Map([['a', 'b']]) })).toEqual(['c b'])
    expect(idsOf(three, { apart: new Set(['b c']) })).toEqual(['a b'])
  })
})
