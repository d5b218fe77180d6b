import { expect, test } from 'vitest'
import { loadSample, sampleTexts } from './sample.ts'

const sample = loadSample(sampleTexts())

/** Words of the trade that belong to other countries. */
const FOREIGN: Readonly<Record<string, RegExp>> = {
  ES: /concreto(?! asf)|varilla corrugada|tablaroca|drywall|volcanita|fierro|vergalh/i,
  MX: /hormig[oó]n|encofrad|yeso laminado|volcanita|durlock|s275|b ?500|zahorra|cubeta de hormig/i,
  CO: /hormig[oó]n|yeso laminado|tablaroca|volcanita|s275|b ?500|zahorra|maquinista de grúa/i,
  PE: /hormig[oó]n(?! de río)|yeso laminado|tablaroca|volcanita|s275|b ?500|zahorra|solado de gres/i,
  CL: /concreto premezclado|yeso laminado|tablaroca|durlock|s275|b ?500|zahorra/i,
  AR: /concreto premezclado|yeso laminado|tablaroca|volcanita|s275|b ?500|zahorra/i,
  UY: /concreto premezclado|yeso laminado|tablaroca|volcanita|s275|b ?500|zahorra/i,
  BR: /bet[aã]o(?!neira)|var[aã]o|lancil|cofragem|gesso cartonado|s275|a500|cinzento|reboco de gesso em/i,
  PT: /concreto|vergalh|gesso acartonado|meio-fio|ca-50/i,
  US: /b500|s275|aluminium|grey|colour|plasterboard|kerb(?!.*mm)|metre/i,
  GB: /drywall(?! screw)|\blumber|aluminum|rebar #|psi\b/i,
}

test.each(Object.entries(FOREIGN))('vendors of %s use no word of another country', (region, foreign) => {
  const names = sample.vendors.filter((vendor) => vendor.region === region).flatMap(({ skus }) => skus)
  expect(names.length).toBeGreaterThan(20)
  expect(names.flatMap(({ product, name }) => (foreign.test(name) ? [`${product.key}: ${name}`] : []))).toEqual([])
})

test('a good with an empty list of names has no vendor in the country', () => {
  const metric = sample.vendors.filter(({ region }) => region === 'US').flatMap(({ skus }) => skus)
  expect(metric.filter(({ product }) => product.key === 'rebar-8')).toEqual([])
})
