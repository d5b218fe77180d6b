import { readFileSync } from 'node:fs'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { SOURCE_REGIONS_EXPECTED } from '@catalog/core/median/regions.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSource, BadSourcesFile, parseSources, type SourceDraft } from './sources-file.ts'

const EXAMPLE = readFileSync(new URL('../../../docs/catalog.sources.example.yaml', import.meta.url), 'utf8')

/** Resolves mapping files by path; any other path is missing. */
function parse(text: string, mappings: Readonly<Record<string, string>> = {}) {
  return parseSources(text, {
    place: 'sources.yaml',
    readMapping(path) {
      const found = mappings[path]
      if (found === undefined) throw new Error('no such file')
      return found
    },
  })
}

/** The lines of the message that refuses a text. */
function problemsOf(text: string, mappings?: Readonly<Record<string, string>>): string[] {
  try {
    parse(text, mappings)
  } catch (error) {
    expect(error).toBeInstanceOf(BadSourcesFile)
    return (error as Error).message.split('\n')
  }
  return []
}

const first = (text: string, mappings?: Readonly<Record<string, string>>) => parse(text, mappings).sources[0]

describe('a file of sources', () => {
  test('gives every key of a source', () => {
    expect(
      parse(
        `
contact: crawler@example.org
requests_per_second: 0.5
at_once: 3
sources:
  - source: "  Materiales   Norte "
    id: norte
    region: el
    kind: bid
    trust: 0
    validity_days: 3650
    schedule: 30 4 * * *
    enabled: false
    url: https://norte.example.org/about
    currency: eur
    lang: es
    cookies: true
    entry_points: [https://norte.example.org/prices.csv#all]
    mapping: norte.yaml
    pages_max: 1000000
    health: { records_min: 10, parse_rate_min: 0, parse_rate_fall: 1, vanished_max: 0.2, changed_max: 0.3, price_ratio_max: 1.5, drift_max: 0.4 }
    licence: { name: CC-BY-4.0, redistribution: yes, attribution: Norte, checked_on: 2026-11-23 }
    quality: { unknown_units_max: 0.05, parked_max: 0.1, tax_not_stated_max: 0, dispersion_max: 1, staleness_max_days: 14 }
`,
        { 'norte.yaml': 'delimiter: ";"' },
      ),
    ).toEqual({
      contact: 'crawler@example.org',
      politeness: { perSecond: 0.5, atOnce: 3 },
      sources: [
        {
          id: 'norte',
          name: 'Materiales Norte',
          region: 'GR',
          kind: 'bid',
          trust: 0,
          validityDays: 3650,
          schedule: '30 4 * * *',
          enabled: false,
          url: 'https://norte.example.org/about',
          currency: 'EUR',
          lang: 'es',
          cookies: true,
          entryPoints: [{ kind: 'document', url: 'https://norte.example.org/prices.csv' }],
          mapping: { delimiter: ';' },
          pagesMax: 1_000_000,
          health: {
            recordsMin: 10,
            parseRateMin: 0,
            parseRateFall: 1,
            vanishedMax: 0.2,
            changedMax: 0.3,
            priceRatioMax: 1.5,
            driftMax: 0.4,
          },
          licence: {
            name: 'CC-BY-4.0',
            terms: null,
            url: null,
            redistribution: 'yes',
            commercial_use: 'unknown',
            attribution: 'Norte',
            checked_on: '2026-11-23',
          },
          quality: {
            unknownUnitsMax: 0.05,
            parkedMax: 0.1,
            taxNotStatedMax: 0,
            dispersionMax: 1,
            stalenessMaxDays: 14,
          },
          line: 6,
        },
      ],
    })
  })

  test('may name files of the operator, from the folder of the sources file', () => {
    const text = 'sources: [{ source: Norte, kind: bank, entry_points: [{ file: lists/2026.csv, format: csv }] }]'
    const { sources } = parseSources(text, {
      place: 'sources.yaml',
      readMapping: () => '',
      pathOf: (path) => `/srv/catalog/${path}`,
    })
    const path = '/srv/catalog/lists/2026.csv'
    expect(sources[0]).toMatchObject({
      url: null,
      entryPoints: [{ kind: 'file', path, url: `file://${path}`, format: 'csv' }],
    })
  })

  test('needs name, kind and entry point of a source, and leaves out absent keys', () => {
    const text = 'sources: [{ source: Norte, kind: shop, entry_points: ["https://norte.example.org/a/b.csv"] }]'
    expect(parse(text)).toEqual({
      contact: null,
      politeness: {},
      sources: [
        {
          id: sourceIdOf({ name: 'Norte', region: null }),
          name: 'Norte',
          region: null,
          kind: 'shop',
          url: 'https://norte.example.org/',
          schedule: null,
          enabled: true,
          entryPoints: [{ kind: 'document', url: 'https://norte.example.org/a/b.csv' }],
          mapping: undefined,
          pagesMax: 20_000,
          health: {},
          line: 1,
        },
      ],
    })
  })

  test('may be without sources', () => {
    expect(parse('sources: []').sources).toEqual([])
  })

  test.each([
    ['ES', 'ES'],
    ['uk', 'GB'],
    ['EU', 'EU'],
    ['latam', 'LATAM'],
    ['fr', 'FR'],
  ])('has region %s as %s', (written, region) => {
    expect(first(source(`region: ${written}`))).toMatchObject({ region, id: sourceIdOf({ name: 'Norte', region }) })
  })

  test('keeps the selectors of a source with pages, and refuses them beside APIs and tables', () => {
    const of = (point: string) =>
      `sources: [{ source: N, kind: shop, selectors: { price: 'i@title', name: h1 }, entry_points: [${point}] }]`
    const points = ['http://n.example', '{ site: "http://n.example" }', '{ sitemap: "http://n.example/s.xml" }']
    for (const point of [...points, '{ url: "http://n.example", format: html }']) {
      expect(first(of(point))?.selectors).toEqual({ price: 'i@title', name: 'h1' })
    }
    const expected = 'expected only beside an entry point with pages: a sitemap, a site or an address'
    for (const point of ['{ api: "http://n.example" }', '{ url: "http://n.example", format: csv }']) {
      expect(problemsOf(of(point))).toEqual([`sources.yaml line 1, sources[0].selectors: ${expected}`])
    }
  })

  test('puts the units of a source over those of its mapping', () => {
    const keys = ['units: { SYS: yd², tramex: m² }', 'mapping: { decimal: ",", units: [us, { tramex: u }] }']
    expect(first(source(...keys))?.mapping).toEqual({
      decimal: ',',
      units: { sets: ['us'], spellings: { sys: 'yd²', tramex: 'm²' } },
    })
  })

  test('reads a mapping file once for all its uses', () => {
    const asked: string[] = []
    const text = `sources:${['A', 'B'].map((name) => entry(name, 'mapping: ../m.yaml')).join('')}`
    const readMapping = (path: string) => {
      asked.push(path)
      return '{ "decimal": "," }'
    }
    const { sources } = parseSources(text, { place: 'sources.yaml', readMapping })
    expect(asked).toEqual(['../m.yaml'])
    expect(sources.map(({ mapping }) => mapping)).toEqual([{ decimal: ',' }, { decimal: ',' }])
  })

  test('shows every form of entry point in its example', () => {
    const { contact, politeness, sources } = parse(EXAMPLE)
    expect({ contact, politeness }).toEqual({
      contact: 'https://example.org/crawler',
      politeness: { perSecond: 1, atOnce: 2 },
    })
    const points = sources.flatMap(({ entryPoints }) => entryPoints)
    expect(new Set(points.map(({ kind }) => kind))).toEqual(new Set(['document', 'sitemap', 'site', 'api', 'file']))
    expect(points.flatMap((point) => (point.kind === 'api' ? [point.paging?.kind] : []))).toEqual([
      'next',
      'page',
      'cursor',
    ])
    expect(Object.keys(Object.assign({}, ...sources.map(({ health }) => health)))).toHaveLength(7)
  })
})

/** A source with at most two entry points on lines 2 to 5, followed by further lines. */
function entry(name: string, ...more: string[]): string {
  return ['', `- source: ${name}`, '  kind: shop', '  entry_points:', `  - https://${name}.example.org/x`]
    .concat(more.map((line) => `  ${line}`))
    .join('\n')
}
const source = (...more: string[]) => `sources:${entry('Norte', ...more)}`

describe('an entry point', () => {
  const pointsOf = (...lines: string[]) =>
    first(`sources:\n- source: Norte\n  kind: shop\n  entry_points:\n${lines.map((line) => `  - ${line}\n`).join('')}`)
      ?.entryPoints

  test('is an address, with a format or without', () => {
    expect(pointsOf('HTTPS://Norte.example.org', '{ url: http://127.0.0.1:8080/x?a=1, format: bmecat }')).toEqual([
      { kind: 'document', url: 'https://norte.example.org/' },
      { kind: 'document', url: 'http://127.0.0.1:8080/x?a=1', format: 'bmecat' },
    ])
  })

  test('is a sitemap or a site with globs, all empty unless they are given', () => {
    expect(
      pointsOf(
        '{ sitemap: https://n.example/s.xml, include: [/p/*, "**/x"], exclude: [/p/old*] }',
        '{ sitemap: https://n.example/s.xml }',
        '{ site: https://n.example/, follow: [/c/*], include: [/p/*], exclude: ["**?**"] }',
        '{ site: https://n.example/ }',
      ),
    ).toEqual([
      { kind: 'sitemap', url: 'https://n.example/s.xml', include: ['/p/*', '**/x'], exclude: ['/p/old*'] },
      { kind: 'sitemap', url: 'https://n.example/s.xml', include: [], exclude: [] },
      { kind: 'site', url: 'https://n.example/', follow: ['/c/*'], include: ['/p/*'], exclude: ['**?**'] },
      { kind: 'site', url: 'https://n.example/', follow: [], include: [], exclude: [] },
    ])
  })

  test('is an API, with the place of its records and the way to its next page', () => {
    expect(
      pointsOf(
        '{ api: https://n.example/v1 }',
        '{ api: https://n.example/v1, records: ., paging: { next: links.next } }',
        '{ api: https://n.example/v1, records: data.0.items, paging: { parameter: page, from: 0 } }',
        '{ api: https://n.example/v1, paging: { parameter: offset, from: 0, step: 100 } }',
        '{ api: https://n.example/v1, paging: { parameter: after, cursor: meta.cursor } }',
      ),
    ).toEqual([
      { kind: 'api', url: 'https://n.example/v1' },
      { kind: 'api', url: 'https://n.example/v1', records: '.', paging: { kind: 'next', path: 'links.next' } },
      {
        kind: 'api',
        url: 'https://n.example/v1',
        records: 'data.0.items',
        paging: { kind: 'page', parameter: 'page', from: 0, step: 1 },
      },
      { kind: 'api', url: 'https://n.example/v1', paging: { kind: 'page', parameter: 'offset', from: 0, step: 100 } },
      {
        kind: 'api',
        url: 'https://n.example/v1',
        paging: { kind: 'cursor', parameter: 'after', path: 'meta.cursor' },
      },
    ])
  })
})

describe('a broken file is refused with line, key and expectation', () => {
  const HTTP = 'expected an address that begins with http:// or https://'
  const POINT = 'expected an address, or one of the keys url, sitemap, site, api and file'

  /** The last lines of a source, of which the first is line 6, and the problem there. */
  test.each([
    ['shedule: 1', "shedule: unknown key, expected 'schedule'?"],
    ['validityDays: 1', "validityDays: unknown key, expected 'validity_days'?"],
    ['id: a/../b', "id: 'a/../b': expected at most 80 of the letters a to z, digits, . _ and -"],
    ['id: ..', "id: '..': expected at most 80 of the letters a to z, digits, . _ and -"],
    ['id: 12', "id: '12': expected text (a number in quotes)"],
    ['region: Spain', `region: 'Spain': ${SOURCE_REGIONS_EXPECTED}`],
    [
      'headers: { Cookie: { env: A } }',
      'headers.Cookie: expected the name of a header that the crawler does not set itself, such as Authorization',
    ],
    [
      'headers: { Authorization: secret }',
      "headers.Authorization: 'secret': expected { env: NAME } or { file: PATH }: the value stands elsewhere",
    ],
    ['region: NO', `region: 'NO': ${SOURCE_REGIONS_EXPECTED}`],
    ['region: jp', `region: 'jp': ${SOURCE_REGIONS_EXPECTED}`],
    ['region:', 'region is empty: expected text (a number in quotes)'],
    ['trust: 101', "trust: '101': expected a whole number from 0 to 100"],
    ['trust: 0.5', "trust: '0.5': expected a whole number from 0 to 100"],
    ['trust: "5"', "trust: '5': expected a whole number from 0 to 100"],
    ['validity: long', "validity: 'long': expected until_superseded, or validity_days alone"],
    ['validity_days: 0', "validity_days: '0': expected a whole number from 1 to 3650"],
    ['enabled: yes', "enabled: 'yes': expected true or false"],
    ['url: norte.example.org', `url: 'norte.example.org': ${HTTP}`],
    ['currency: EURO', "currency: 'EURO': expected a currency of ISO 4217, such as EUR"],
    ['cookies: yes', "cookies: 'yes': expected true or false"],
    ['lang: spa', "lang: 'spa': expected two small letters of ISO 639, such as es"],
    ['pages_max: 1000001', "pages_max: '1000001': expected a whole number from 1 to 1000000"],
    [
      'licence: { name: MIT }',
      'licence.checked_on is missing: expected the day on which the terms were read, such as 2026-11-23',
    ],
    [
      'licence: { checked_on: 2026-11-23, redistribution: maybe }',
      "licence.redistribution: 'maybe': expected yes, no or unknown",
    ],
    ['health: { records_min: -1 }', "health.records_min: '-1': expected a whole number from 0 to 100000000"],
    ['health: { vanished_max: 30 }', "health.vanished_max: '30': expected a share from 0 to 1"],
    ['quality: { unknown_units_max: 5 }', "quality.unknown_units_max: '5': expected a share from 0 to 1"],
    [
      'quality: { staleness_max_days: 0.5 }',
      "quality.staleness_max_days: '0.5': expected a whole number from 0 to 3650",
    ],
    ['health: { price_ratio_max: 0.5 }', "health.price_ratio_max: '0.5': expected a number from 1 to 1000000"],
    [
      'selectors: { price: ".p >", name: h1 }',
      /selectors.price: '.p >': nothing stands at its end; expected a CSS selector such as .price/,
    ],
    ['selectors: { price: .p }', /selectors.name is missing: expected a CSS selector such as .price/],
    ['selectors: { price: .p, name: h1, cost: .c }', /selectors.cost: unknown key, expected price, name, sku/],
    ['health: { vanish_max: 0 }', "health.vanish_max: unknown key, expected 'vanished_max'?"],
    ['mapping: 3', "mapping: '3': expected the path of a mapping file, or what would stand in it"],
    [
      'units: { X: tramex }',
      "units.X: 'tramex': expected a unit that prices are per, such as m², kg, 1000 gal or bag 25 kg",
    ],
    [
      'mapping: { units: mars }',
      "mapping.units: 'mars': expected SPELLING: UNIT pairs, or one of the sets us-dot, us, gb, es, mx, ar, cl, co, pe, uy, br, pt, fr, de, it",
    ],
    ['mapping: none.yaml', "mapping: 'none.yaml': expected a file that can be read: no such file"],
    ['mapping: { columns: { prise: a } }', "mapping.columns.prise: unknown key, expected 'price'?"],
    ['mapping: { decimal: ; }', "mapping.decimal: ';': expected , or ."],
    [
      'mapping: { columns: { unit: 0.5 } }',
      "mapping.columns.unit: '0.5': expected text (a number in quotes), a list or keys with values",
    ],
    ['mapping: { columns: { unit: [a, 0.5] } }', "mapping.columns.unit[1]: '0.5': expected text (a number in quotes)"],
    [
      'mapping: { date_format: x }',
      "mapping.date_format: 'x': expected an order such as DD/MM/YYYY, MM/DD/YYYY or YYYY-MM-DD",
    ],
    ['- ftp://norte.example.org/x', `entry_points[1]: 'ftp://norte.example.org/x': ${HTTP}`],
    ['- https://norte.example.org/a b', `entry_points[1]: 'https://norte.example.org/a b': ${HTTP}`],
    ['- 5', `entry_points[1]: '5': ${POINT}`],
    ['- {}', `entry_points[1]: ${POINT}`],
    ['- { url: http://a.example, api: http://b.example }', `entry_points[1]: ${POINT}`],
    ['- { url: http://a.example, format: pdf }', /entry_points\[1\].format: 'pdf': expected csv, .* or /],
    ['- http://a.example/{YYYY}', /entry_points\[1\]: .*expected period: month, quarter, year beside an address/],
    ['- { url: "http://a.example/{YYYY}", period: month }', /entry_points\[1\]\.url: .*expected \{YYYY\} and \{MM\}/],
    ['- { url: http://a.example, lookback: 2 }', /entry_points\[1\]\.lookback: .*expected only beside period/],
    [
      '- { url: "http://a.example/{YYYY}", period: week }',
      /entry_points\[1\]\.period: .*expected month, quarter, year/,
    ],
    ['- { url: "http://a.example/{YYYY}", period: year, lookback: 99 }', /entry_points\[1\]\.lookback: .*from 0 to 24/],
    ['- { url: http://a.example, records: a }', "entry_points[1].records: 'a': expected only beside api"],
    ['- { sitemap: http://a.example, paging: {} }', 'entry_points[1].paging: expected only beside api'],
    ['- { sitemap: http://a.example, follow: [] }', 'entry_points[1].follow: expected only beside site'],
    ['- { api: http://a.example, include: [] }', 'entry_points[1].include: expected only beside sitemap or site'],
    ['- { api: http://a.example, record: a }', "entry_points[1].record: unknown key, expected 'records'?"],
    [
      '- { site: http://a.example, include: [/a, p/*] }',
      "entry_points[1].include[1]: 'p/*': expected a path that begins with / or **, such as /products/*",
    ],
    [
      '- { api: http://a.example, records: a..b }',
      /entry_points\[1\].records: 'a..b': expected keys with points between them/,
    ],
    ['- { api: http://a.example, paging: page }', /entry_points\[1\].paging: 'page': expected next: PATH, or /],
    [
      '- { api: http://a.example, paging: { parameter: page } }',
      'entry_points[1].paging.from is missing: expected a whole number from 0 to 1000000000',
    ],
    [
      '- { api: http://a.example, paging: { parameter: a&b, cursor: c } }',
      "entry_points[1].paging.parameter: 'a&b': expected the name of a parameter",
    ],
    [
      '- { api: http://a.example, paging: { next: a, from: 1 } }',
      'entry_points[1].paging.from: unknown key, expected next',
    ],
  ])('%s', (line, problem) => {
    const [found, ...others] = problemsOf(source(line))
    expect(others).toEqual([])
    if (typeof problem === 'string') expect(found).toBe(`sources.yaml line 6, sources[0].${problem}`)
    else expect(found).toMatch(new RegExp(`^sources.yaml line 6, sources\\[0\\].${problem.source}`))
  })

  test.each([
    ['', 'line 1, the file is empty: expected keys with values'],
    ['# nothing yet\n', 'line 1, the file is empty: expected keys with values'],
    ['contact: a@example.org', 'line 1, sources is missing: expected a list'],
    ['[]', 'line 1, the file: expected keys with values'],
    ['\n\nsources:', 'line 3, sources is empty: expected a list'],
    ['sources: []\nrequests_per_second: 11', "line 2, requests_per_second: '11': expected a number from 0.01 to 10"],
    ['sources: []\nat_once: 0', "line 2, at_once: '0': expected a whole number from 1 to 8"],
    ['sources: []\ncontact: me', "line 2, contact: 'me': expected the address of a page (https://...) or of mail"],
    ['sources: []\ncontact: "https://a.example/)\\r\\nX: y"', /line 2, contact: .*expected the address of a page/],
    ['sources: []\nat-once: 1', "line 2, at-once: unknown key, expected 'at_once'?"],
    ['sources: []\nfoo: 1', 'line 2, foo: unknown key, expected contact, requests_per_second, at_once or sources'],
    ['sources:\n- 5', "line 2, sources[0]: '5': expected keys with values"],
    [
      'sources:\n- source: A\n  entry_points: ["http://a.example"]',
      'line 2, sources[0].kind is missing: expected shop, bid or bank',
    ],
    [
      'sources:\n- kind: shop\n  source: A\n  entry_points: []',
      'line 4, sources[0].entry_points: expected at least one',
    ],
    ['sources:\n- kind: shop\n  source: A', 'line 2, sources[0].entry_points is missing: expected a list'],
    ['sources: []\n__proto__: {}', /line 2, __proto__: unknown key/],
  ])('%j', (text, problem) => {
    const [found, ...others] = problemsOf(text)
    expect(others).toEqual([])
    if (typeof problem === 'string') expect(found).toBe(`sources.yaml ${problem}`)
    else expect(found).toMatch(problem)
  })

  test.each([
    ['sources:\n- source: A\n  source: B\n', 'line 3, expected YAML: Map keys must be unique'],
    ['sources: [\n', /line \d, expected YAML: /],
    ['sources: []\n---\nsources: []', /line 2, expected YAML: /],
    ['sources:\n\t- source: A', /line 2, expected YAML: Tabs are not allowed/],
    ['sources:\n- schedule: * * * * *', "line 2, '*': expected text in quotes, since * begins an alias of YAML"],
    ['sources:\n- include: [**/p]', "line 2, '**/p': expected text in quotes, since * begins an alias of YAML"],
    ['a: &a [1]\nsources: [*a]', "line 2, '*a': expected text in quotes, since * begins an alias of YAML"],
    ['sources: []\ncontact: !env CONTACT', 'line 2, expected YAML: Unresolved tag: !env'],
    ['? { a: 1 }\n: 2', 'line 1, expected YAML: With stringKeys, all keys must be strings'],
    ['sources:\n- source: Caf\ufffd', 'line 2, a character was not decoded: expected a file in UTF-8'],
  ])('%j, which is no YAML of ours', (text, problem) => {
    const [found] = problemsOf(text)
    if (typeof problem === 'string') expect(found).toBe(`sources.yaml ${problem}`)
    else expect(found).toMatch(problem)
  })

  test('when it is nested too deeply', () => {
    expect(problemsOf(`sources: ${'['.repeat(10_000)}`)[0]).toMatch(/line 1, expected YAML: /)
  })

  test('names the lines of a mapping file, once for all its uses', () => {
    const mapping = 'delimiter: ";"\ncolumns:\n  vendor_ref: a\n  nmae: b\n  price: { column: c }\n'
    const text = `sources:${entry('A', 'mapping: m.yaml')}${entry('B', 'mapping: m.yaml')}`
    expect(problemsOf(text, { 'm.yaml': mapping })).toEqual([
      "sources.yaml line 6, sources[0].mapping: 'm.yaml': line 4, columns.nmae: unknown key, expected 'name'?; " +
        'line 5, columns.price.separator is missing: expected text (a number in quotes)',
    ])
    expect(problemsOf(source('mapping: m.yaml'), { 'm.yaml': 'columns: [' })[0]).toMatch(
      /^sources.yaml line 6, sources\[0\].mapping: 'm.yaml': line 1, expected YAML: /,
    )
    expect(problemsOf(source('mapping: m.yaml'), { 'm.yaml': `# ${'x'.repeat(256 * 1024)}` })).toEqual([
      "sources.yaml line 6, sources[0].mapping: 'm.yaml': expected a file of at most 262144 bytes",
    ])
  })

  test('of two sources with one id, names both lines', () => {
    const id = sourceIdOf({ name: 'Norte', region: null })
    const text = `sources:${entry('Norte')}${entry('Sur', 'id: sur')}${entry('NORTE')}${entry('x', 'id: sur')}`
    expect(problemsOf(text)).toEqual([
      `sources.yaml line 11, sources[2].source: 'NORTE': expected another id than ${id}, which is that of sources[0] on line 2`,
      "sources.yaml line 19, sources[3].id: 'sur': expected another id than sur, which is that of sources[1] on line 6",
    ])
    expect(parse(`sources:${entry('Norte', 'region: ES')}${entry('NORTE', 'region: PT')}`).sources).toHaveLength(2)
  })

  test.each(['me:hunter2@', 'hunter2@', ':hunter2@', 'me:hun@ter2@', 'me:hunter2/@'])(
    'shows no credentials: %s',
    (credentials) => {
      const url = `https://${credentials}norte.example.org/x?key=hunter2`
      const found = problemsOf(source(`- { url: "${url}", format: pdf }`)).join('\n')
      expect(found).toContain("sources[0].entry_points[1].url: '***@norte.example.org/x?…': expected an address")
      expect(found).not.toMatch(/hunter2|hun@/)
    },
  )

  test('lists twenty problems in the order of their lines, and the number of further ones', () => {
    const text = `sources:${Array.from({ length: 25 }, (_, n) => entry(`s${n}`, 'trust: -1')).join('')}`
    const found = problemsOf(text)
    expect(found).toHaveLength(21)
    expect(found[0]).toContain('line 6, sources[0].trust')
    expect(found[19]).toContain('line 101, sources[19].trust')
    expect(found[20]).toBe('and 5 more')
  })

  test('quotes a long value on one line, cut', () => {
    const [found, ...others] = problemsOf(source(`lang: "${'x\\n'.repeat(100)}"`))
    expect(others).toEqual([])
    expect(found).toContain(`sources[0].lang: '${'x '.repeat(40)}…': expected`)
  })

  test('when it is too large', () => {
    expect(problemsOf(`sources: []\n#${'x'.repeat(4 * 1024 ** 2)}`)).toEqual([
      'sources.yaml: 4194317 bytes, expected at most 4194304',
    ])
    expect(problemsOf(`sources: [${'1,'.repeat(10_001)}]`)).toContain(
      'sources.yaml line 1, sources: expected at most 10000',
    )
  })
})

const DRAFT: SourceDraft = {
  source: 'Sur',
  kind: 'shop',
  region: 'ES',
  schedule: '30 4 * * *',
  entry_points: ['https://sur.example.org/feed.xml', { sitemap: 'https://sur.example.org/s.xml', include: ['**/p/*'] }],
  mapping: { columns: { name: 'Name: "long" #1' } },
}
const DRAFT_LINES = `- source: Sur
  kind: shop
  region: ES
  schedule: 30 4 * * *
  entry_points:
    - https://sur.example.org/feed.xml
    - sitemap: https://sur.example.org/s.xml
      include:
        - "**/p/*"
  mapping:
    columns:
      name: 'Name: "long" #1'
`
const indented = (indent: number) => DRAFT_LINES.replace(/^/gm, ' '.repeat(indent)).trimEnd()

describe('a source is added', () => {
  test.each([
    ['to an empty text', '', `sources:\n${indented(2)}\n`],
    ['to a comment', '# ours', `# ours\nsources:\n${indented(2)}\n`],
    [
      'behind the last one, every other byte kept',
      `# head\n\nsources:   # all\n    - source:  Norte   # n\n      kind: "shop"\n      entry_points: [ 'https://n.example' ]\n      # trust: 40\n    # tail\n\ncontact:   a@example.org  # end`,
      `# head\n\nsources:   # all\n    - source:  Norte   # n\n      kind: "shop"\n      entry_points: [ 'https://n.example' ]\n      # trust: 40\n${indented(4)}\n    # tail\n\ncontact:   a@example.org  # end`,
    ],
    ['behind a last line that does not end', source().trimEnd(), `${source()}\n${DRAFT_LINES}`],
    [
      'behind a blank line where they are separated so',
      `sources:${entry('A')}\n${entry('B')}\n`,
      `sources:${entry('A')}\n${entry('B')}\n\n${DRAFT_LINES}`,
    ],
    [
      'behind a text of several lines',
      'sources:\n- kind: shop\n  entry_points: [https://n.example]\n  source: >-\n    Norte\n\n    e hijos\ncontact: a@example.org\n',
      `sources:\n- kind: shop\n  entry_points: [https://n.example]\n  source: >-\n    Norte\n\n    e hijos\n${DRAFT_LINES}contact: a@example.org\n`,
    ],
    [
      'where the list is empty',
      '# c\ncontact: a@example.org # mail\nsources: []\n',
      `# c\ncontact: a@example.org # mail\nsources:\n${indented(2)}\n`,
    ],
    [
      'where no list is',
      'contact: a@example.org # mail\nsources:\n',
      `contact: a@example.org # mail\nsources:\n${indented(2)}\n`,
    ],
  ])('%s', (_, text, expected) => {
    const added = addSource(text, DRAFT)
    expect(added).toBe(expected)
    expect(parse(added).sources.at(-1)).toMatchObject({ name: 'Sur', schedule: '30 4 * * *', region: 'ES' })
  })

  test('to the example, whose sources stay as they are', () => {
    const added = addSource(EXAMPLE, DRAFT)
    expect(added.startsWith(EXAMPLE)).toBe(true)
    expect(parse(added).sources.slice(0, -1)).toEqual(parse(EXAMPLE).sources)
  })

  test('with the line ends of the file', () => {
    const text = `${source().replaceAll('\n', '\r\n')}\r\n`
    expect(addSource(text, DRAFT)).toBe(text + DRAFT_LINES.replaceAll('\n', '\r\n'))
    expect(addSource('contact: a@example.org\r\n', DRAFT)).not.toMatch(/[^\r]\n/)
  })

  test('with long texts on one line, and without aliases', () => {
    const include = ['/p/*']
    const [a, b] = ['https://a.example/s', 'https://b.example/s'].map((sitemap) => ({ sitemap, include }))
    const added = addSource('', { ...DRAFT, source: 'long name '.repeat(15).trim(), entry_points: [a, b] as never })
    expect(added).toContain(`source: ${'long name '.repeat(15).trim()}\n`)
    expect(added.match(/- \/p\/\*/g)).toHaveLength(2)
  })

  test('to a list between brackets, comments kept', () => {
    const text = '# all\nsources: [{ source: A, kind: shop, entry_points: ["https://a.example"] }] # one\n'
    const added = addSource(text, DRAFT)
    expect(added).toMatch(/^# all\n.* # one\n$/s)
    expect(parse(added).sources.map(({ name }) => name)).toEqual(['A', 'Sur'])
  })

  test('and reads back as drafted, whatever its texts', () => {
    const mappings = { 'm.yaml': 'decimal: ","' }
    const texts = ['', '# ours\n', 'sources: []', source(), `${source()}\n\ncontact: a@example.org`].map((text) => ({
      text,
      before: text.includes('Norte') ? parse(text).sources : [],
    }))
    fc.assert(
      fc.property(drafts, fc.constantFrom(...texts), (draft, { text, before }) => {
        const { sources } = parse(addSource(text, draft), mappings)
        expect(sources.slice(0, -1)).toEqual(before)
        const spec = sources.at(-1)
        expect(spec?.name).toBe(draft.source.replace(/\s+/g, ' ').trim().normalize('NFC'))
        // JSON needs no rules of indentation and quotes.
        expect({ ...spec, line: 1 }).toEqual(first(JSON.stringify({ sources: [draft] }), mappings))
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    [
      'a source of its id is there',
      source(),
      { ...DRAFT, source: 'NORTE', region: undefined },
      /line 6, sources\[1\].source: .* on line 2$/,
    ],
    ['the draft is wrong', source(), { ...DRAFT, trust: 200 }, /sources\[1\].trust: '200': expected/],
    ['the text is wrong', source('trust: 200'), DRAFT, /line 6, sources\[0\].trust: '200': expected/],
    ['the text is no YAML', 'sources: [', DRAFT, /expected YAML/],
    ['the text is a list', '- a', DRAFT, /the file: expected keys with values/],
    ['its sources are no list', 'sources: many', DRAFT, /sources: 'many': expected a list/],
  ])('unless %s', (_, text, draft, problem) => {
    expect(() => addSource(text, draft)).toThrow(BadSourcesFile)
    expect(() => addSource(text, draft)).toThrow(problem)
  })
})

const hosts = fc
  .stringMatching(/^[a-z]{1,8}$/)
  .map((name) => `https://${name}.example.org/x?a=1&b=#: y`.replace(/ /g, '%20'))
const words = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('- a', '# b', 'a: b', '* c', '"', "'", '|', '>-', 'null', '1', '~'),
  )
  .map((text) => text.replace(/[\p{Cc}\ufffd-\uffff]/gu, ' '))
  .filter((text) => text.trim() !== '')
const drafts: fc.Arbitrary<SourceDraft> = fc.record(
  {
    source: words,
    id: fc.stringMatching(/^[a-z][a-z0-9._-]{5,10}$/),
    region: fc.constantFrom('ES', 'FR', 'LATAM'),
    kind: fc.constantFrom('shop' as const, 'bid' as const, 'bank' as const),
    trust: fc.integer({ min: 0, max: 100 }),
    schedule: fc.constantFrom('* * * * *', '30 4 * * 1-5', '*/15 * * * *'),
    enabled: fc.boolean(),
    entry_points: fc.array(
      fc.oneof(
        hosts,
        hosts.map((url) => ({ url, format: 'csv' as const })),
        hosts.map((sitemap) => ({ sitemap, include: ['**/p/*', '/x'] })),
        hosts.map((api) => ({ api, records: 'data.items', paging: { parameter: 'page', from: 1 } })),
      ),
      { minLength: 1, maxLength: 3 },
    ),
    mapping: fc.oneof(
      fc.constant('m.yaml'),
      fc.record({ columns: fc.record({ name: words, unit: fc.array(words, { minLength: 1, maxLength: 3 }) }) }),
    ),
    health: fc.record({ vanished_max: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { requiredKeys: ['source', 'id', 'kind', 'entry_points'] },
)
