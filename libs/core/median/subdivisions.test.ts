import { expect, test } from 'vitest'
import { expandedRegions, isSourceRegion, regionsExpected } from './regions.ts'
import { countryOf, isSubdivision, SUBDIVIDED, SUBDIVISIONS } from './subdivisions.ts'

test('every code has the form of ISO 3166-2 and one name, and as many stand for a country as the standard lists', () => {
  for (const [code, name] of SUBDIVISIONS) {
    expect(code).toMatch(/^[A-Z]{2}-[A-Z0-9]{1,3}$/)
    expect(name).toMatch(/^\p{Lu}[\p{L}’() .-]+$/u)
  }
  const counted = SUBDIVIDED.map((country) => {
    const names = [...SUBDIVISIONS].filter(([code]) => countryOf(code) === country).map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    return [country, names.length]
  })
  expect(Object.fromEntries(counted)).toEqual({
    AR: 24,
    BR: 27,
    CL: 16,
    CO: 33,
    // 17 communities, 2 cities and 50 provinces.
    ES: 69,
    GB: 4,
    IT: 20,
    MX: 32,
    PE: 26,
    // 50 states, the district and 6 outlying areas.
    US: 57,
  })
})

test.each([
  ['BR-SP', ['BR', 'BR-SP', 'LATAM']],
  ['US-TX', ['US', 'US-TX']],
  ['IT-52', ['EU', 'IT-52']],
  ['ES-AN', ['ES', 'ES-AN', 'EU']],
  ['GB-SCT', ['GB', 'GB-SCT']],
  ['BR-XX', []],
  ['FR-75', []],
])('a source of %s votes in %o', (region, regions) => {
  expect(expandedRegions(region)).toEqual(regions)
  expect([isSourceRegion(region), isSubdivision(region)]).toEqual(Array(2).fill(regions.length > 0))
})

test('an unknown subdivision is told what its country has, and another code which regions there are', () => {
  expect(regionsExpected('GB-XX')).toBe('expected GB, or a subdivision of it: GB-ENG, GB-NIR, GB-SCT, GB-WLS')
  expect(regionsExpected('FR-75')).toContain('or a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL,')
})
