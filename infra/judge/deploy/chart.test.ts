import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CHART, CHART_VALUES } from './chart.ts'

const textOf = (path: string) => readFileSync(join(CHART, path), 'utf8')
const ROOT = join(import.meta.dirname, '../../..')
type Values = Readonly<Record<string, unknown>>

/** As Helm lays one file of values over another: objects are merged, all else is replaced. */
function laidOver(below: Values, above: Values): Values {
  const isObject = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.fromEntries(
    Object.entries({ ...below, ...above }).map(([key, value]) => {
      const under = below[key]
      return [key, isObject(under) && isObject(value) ? laidOver(under, value) : value]
    }),
  )
}

describe('the values of the chart', () => {
  const validate = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false }).compile(
    JSON.parse(textOf('values.schema.json')),
  )
  const defaults = parse(textOf('values.yaml')) as Values
  const problemsOf = (values: Values) => {
    validate(laidOver(defaults, values))
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  test('are accepted by their schema as they come', () => {
    expect(problemsOf({})).toEqual([])
  })

  test.each(['least', 'all'] as const)('are accepted with %s.yaml', (name) => {
    expect(problemsOf(parse(textOf(CHART_VALUES[name])) as Values)).toEqual([])
  })

  test('are each known to the schema: no other name is accepted', () => {
    for (const name of Object.keys(defaults)) expect(problemsOf({ [`${name}s`]: {} }), name).not.toEqual([])
  })

  test.each(Object.entries(parse(textOf(CHART_VALUES.wrong)) as Values))(
    'are refused with the wrong %s',
    (name, value) => {
      const places = problemsOf({ [name]: value }).filter((problem) => problem.startsWith(`/${name}`))
      expect(places).not.toEqual([])
    },
  )
})

describe('environment variables of the chart', () => {
  /** Names of variables in a text, in what is commented out too. */
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name as string)
  const known = new Set(namesIn(readFileSync(join(ROOT, 'libs/runtime/env.ts'), 'utf8'), /^ {2}([A-Z][A-Z0-9_]+):/gm))

  test('are all read by the product', () => {
    const templates = globSync('templates/*', { cwd: CHART }).map((path) => textOf(path))
    const set = templates.flatMap((text) => namesIn(text, /(?:name: |dict ")([A-Z][A-Z0-9_]+)\b/g))
    expect(set).toEqual(expect.arrayContaining(['CATALOG_DATA', 'METRICS_PORT', 'SNAPSHOT_DIR', 'CATALOG_SOURCES']))
    const offered = ['values.yaml', ...Object.values(CHART_VALUES).filter((path) => path !== CHART_VALUES.wrong)]
      .map((path) => textOf(path))
      .flatMap((text) => namesIn(text, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+):/g))
    expect(offered).toEqual(expect.arrayContaining(['DATABASE_URL', 'KAFKA_BROKERS', 'PUBLIC_BASE_URL']))
    expect([...set, ...offered].filter((name) => !known.has(name))).toEqual([])
  })
})

test('the chart has the version of the package that it runs', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(parse(textOf('Chart.yaml'))).toMatchObject({ version, appVersion: version })
})
