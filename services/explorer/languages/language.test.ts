import { readFileSync } from 'node:fs'
import { EXCLUSIONS } from '@catalog/api/contract/contract.ts'
import { KINDS } from '@catalog/core/events/items.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, languageOf, sayCode, sayIn } from './language.ts'

const tableOf = (language: string): Record<string, string | Record<string, string>> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8'))
const english = tableOf('en')
const placesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

describe.each(LANGUAGES)('the words of %s', (language) => {
  const table = tableOf(language)

  test('are there for every key, and for no other', () => {
    expect(Object.keys(table)).toEqual(Object.keys(english))
  })

  test('have the places of the English ones, and a form for each plural of the language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const [key, entry] of Object.entries(table)) {
      const first = english[key] as string | Record<string, string>
      const places = placesOf(typeof first === 'string' ? first : (first.other as string))
      if (typeof first === 'string') expect(placesOf(entry as string), key).toEqual(places)
      else {
        expect(Object.keys(entry).sort(), key).toEqual([...categories].sort())
        for (const text of Object.values(entry)) expect(placesOf(text), key).toEqual(places)
      }
    }
  })

  test('name every market, kind and reason', () => {
    const keys = [...REGIONS.map((region) => `region_${region}`), ...KINDS.map((kind) => `kind_${kind}`)]
    for (const key of [...keys, ...Object.keys(EXCLUSIONS).map((reason) => `why_${reason}`)]) {
      expect(table[key], key).toMatch(/\S/)
    }
  })
})

test('words are filled in with the numbers and plurals of the language', () => {
  expect(sayIn('en')('vendors', { count: 1 })).toBe('1 vendor')
  expect(sayIn('en')('vendors', { count: 1234 })).toBe('1,234 vendors')
  expect(sayIn('de')('vendors', { count: 1234 })).toContain('1.234')
  expect(sayCode(sayIn('en'), 'why', 'A_NEWER_REASON')).toBe('A_NEWER_REASON')
})

test('the address chooses the language, then the browser, then English', () => {
  expect(languageOf('pt-BR', 'de')).toBe('pt')
  expect(languageOf(undefined, 'ja, fr;q=0.8')).toBe('fr')
  expect(languageOf('xx', undefined)).toBe('en')
})
