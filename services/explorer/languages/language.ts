import { readFileSync } from 'node:fs'
import { preferredLanguages } from '@catalog/api/http/negotiate.ts'
import { SUBDIVISIONS } from '@catalog/core/median/subdivisions.ts'
import { type Column, numberColumn } from '@catalog/pages/table.ts'
import en from './en.json' with { type: 'json' }

/** The languages of the interface, in the order of the switch: one file of words each, with the keys of en.json. */
export const LANGUAGES = ['en', 'es', 'pt', 'fr', 'de', 'it'] as const
export type Language = (typeof LANGUAGES)[number]

type Key = keyof typeof en
/** Words with a form for each plural category of the language (CLDR). */
type Plural = Readonly<Record<string, string>>
type Table = Readonly<Record<Key, string | Plural>>

/** `say('perUnit', { unit: 'm²' })`: the words of a key, with its places filled in. Plurals follow `count`. */
export type Say = (key: Key, values?: Readonly<Record<string, string | number>>) => string

const TABLES = new Map(
  LANGUAGES.map((language) => [
    language,
    JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8')),
  ]),
) as ReadonlyMap<Language, Table>

const SAY = new Map<Language, Say>()

export function sayIn(language: Language): Say {
  const say = SAY.get(language) ?? sayFrom(language)
  SAY.set(language, say)
  return say
}

function sayFrom(language: Language): Say {
  const table = TABLES.get(language) as Table
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (key, values = {}) => {
    const entry = table[key]
    const text =
      typeof entry === 'string' ? entry : (entry[plurals.select(Number(values.count))] ?? (entry.other as string))
    return text.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name]
      return value === undefined ? place : typeof value === 'number' ? numbers.format(value) : value
    })
  }
}

/** Headings of a table; those of numbers begin with `#`. */
export const columnsIn = (say: Say, ...keys: readonly (Key | `#${Key}`)[]): readonly Column[] =>
  keys.map((key) => (key.startsWith('#') ? numberColumn(say(key.slice(1) as Key)) : say(key as Key)))

/** The words of a key that data gives, such as a reason of a newer method; the code itself where no words are known. */
export function sayCode(say: Say, prefix: 'kind' | 'line' | 'region' | 'why', code: string): string {
  const key = `${prefix}_${code}`
  if (key in (TABLES.get('en') as Table)) return say(key as Key)
  const name = prefix === 'region' ? SUBDIVISIONS.get(code) : undefined
  return name === undefined ? code : `${name} (${code})`
}

/** The language of a reader: of the address, else the first of the browser's languages that the interface has. */
export function languageOf(asked: string | undefined, acceptLanguage: string | undefined): Language {
  const wanted = [...(asked === undefined ? [] : [asked]), ...(preferredLanguages(acceptLanguage) ?? [])]
  const found = wanted.map((tag) => LANGUAGES.find((language) => tag.toLowerCase().split('-')[0] === language))
  return found.find((language) => language !== undefined) ?? 'en'
}
