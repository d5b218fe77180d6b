import { execFile, spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { ERRORS } from '@catalog/api/http/errors.ts'
import type { Api } from '@catalog/api/server.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { noteSnapshot, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guide, limitsTable } from './guide.ts'

const run = promisify(execFile)
/** The examples of this page use the address that `npm start` prints. */
const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')
const START = 'http://127.0.0.1:8080'
const LICENCE = { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' }

const store = await storeOfFile()
const clock = testClock()
let api: Api
/** The server listens here; its public address is the same, so tests can follow links. */
let origin: string

beforeAll(async () => {
  for (let i = 0; i < 120; i++) await publish(store, { id: testId('ci_', `item${i}`), name: `Drywall ${i}` })
  await noteSnapshot(store, { seq: 1n })
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  api = testApi(store, clock, { publicBaseUrl: origin, dataLicence: LICENCE })
  await api.listen({ port, host: '127.0.0.1' })
})
afterAll(() => api.close())

async function freePort(): Promise<number> {
  const probe = testApi(store, clock)
  await probe.listen({ port: 0, host: '127.0.0.1' })
  const { port } = probe.server.address() as { port: number }
  await probe.close()
  return port
}

const read = async (path: string) => {
  const response = await fetch(origin + path)
  expect([path, response.status]).toEqual([path, 200])
  return { headers: response.headers, body: await response.text() }
}

describe('the reference', () => {
  test('loads resources only from its own server', async () => {
    const { headers, body } = await read('/docs')
    expect((await fetch(`${origin}/docs/`)).url).toBe(`${origin}/docs`)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    // The page loads scripts and styles only from its own address.
    const sources = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address as string)
    expect(sources.length).toBeGreaterThan(3)
    for (const source of sources.filter((source) => !source.startsWith('data:'))) {
      expect(source).not.toMatch(/^(https?:)?\/\//)
      await read(new URL(source, `${origin}/docs`).pathname)
    }
    expect(body).not.toMatch(/<script(?! src=)|<style|\son\w+=/)
    const policy = Object.fromEntries(
      String(headers.get('content-security-policy'))
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    )
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'connect-src': ["'self'", origin],
      'font-src': ["'self'", 'data:'],
      'img-src': ["'self'", 'data:'],
      'frame-ancestors': ["'none'"],
    })
    for (const allowed of Object.values(policy).flat()) {
      expect([`'none'`, `'self'`, `'unsafe-inline'`, 'data:', origin]).toContain(allowed)
    }
  })

  test('serves its script compressed and revalidated, and its settings send no data out', async () => {
    const script = (headers: Record<string, string>) => api.inject({ url: '/docs/reference.js', headers })
    const { headers, rawPayload } = await script({ 'accept-encoding': 'gzip, deflate, br' })
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/javascript; charset=utf-8', 'br'])
    expect(rawPayload.length).toBeLessThan(1_300_000)
    expect(brotliDecompressSync(rawPayload).toString()).toContain('createApiReference')
    expect((await script({ 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
    const { body: start } = await read('/docs/start.js')
    const settings = JSON.parse(/\{.*\}/.exec(start)?.[0] as string)
    expect(settings).toMatchObject({ withDefaultFonts: false, telemetry: false, hideClientButton: true })
    expect(start).not.toMatch(/https?:/)
    expect(new URL(settings.url, `${origin}/docs`).href).toBe(`${origin}/docs/openapi.json`)
    expect((await read('/docs/openapi.json')).body).toBe((await read('/v1/openapi.json')).body)
  })

  const browser = ['chromium-headless-shell', 'chromium', 'google-chrome'].find(
    (name) => spawnSync(name, ['--version']).status === 0,
  )
  const unavailable = (): string | null => {
    if (browser !== undefined) return null
    if (process.env.CI === 'true') throw new Error('no browser: expected chromium in PATH')
    return 'no browser here (expected chromium in PATH): '
  }

  test.skipIf(unavailable() !== null)(`${unavailable() ?? ''}is rendered by a browser under its policy`, async () => {
    using profile = mkdtempDisposableSync(join(tmpdir(), 'docs-'))
    const { stdout } = await run(
      browser as string,
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${profile.path}`,
        '--virtual-time-budget=20000',
        '--dump-dom',
        `${origin}/docs`,
      ],
      { maxBuffer: 20_000_000 },
    )
    for (const expected of ['List canonical items', 'Quick start', 'CC BY 4.0']) expect(stdout).toContain(expected)
  })
})

describe('the OpenAPI document, for a first-time reader', () => {
  type Described = {
    name: string
    required?: boolean
    description?: string
    example?: unknown
    examples?: Record<string, { 'x-disabled'?: boolean }>
  }
  type Operation = {
    operationId: string
    summary?: string
    description?: string
    tags?: string[]
    parameters?: Described[]
    responses: Record<string, { content?: Record<string, { example?: unknown }> }>
  }
  type Document = { tags: { name: string }[]; paths: Record<string, Record<string, Operation>> }
  const SUMMARY_CHARS_MAX = 60
  const SENTENCES_MAX = 4
  const read = () => {
    const document = api.swagger() as unknown as Document
    return { document, operations: Object.values(document.paths).flatMap((path) => Object.values(path)) }
  }

  test('each operation has a summary, one to four sentences, a declared tag and an example of its answer', () => {
    const { document, operations } = read()
    const declared = new Set(document.tags.map(({ name }) => name))
    const faults = operations.flatMap(({ operationId, summary = '', description = '', tags = [], responses }) => {
      const sentences = description.split(/[.!?](?:\s|$)/).filter((sentence) => sentence.trim() !== '')
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      const contents = successes.flatMap(([, { content = {} }]) => Object.values(content))
      return [
        ...(summary === '' || summary.length > SUMMARY_CHARS_MAX ? [`summary '${summary}'`] : []),
        ...(sentences.length < 1 || sentences.length > SENTENCES_MAX ? [`${sentences.length} sentences`] : []),
        ...(tags.length === 1 && declared.has(tags[0] as string) ? [] : [`tags ${tags}`]),
        ...(contents.length > 0 && contents.every(({ example }) => example !== undefined) ? [] : ['no example']),
      ].map((fault) => `${operationId}: ${fault}`)
    })
    expect(operations.length).toBeGreaterThan(20)
    expect(faults).toEqual([])
    expect([...declared].filter((name) => !operations.some(({ tags }) => tags?.includes(name)))).toEqual([])
  })

  test('each parameter has a description and an example', () => {
    const faults = read().operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ description, example, examples }) => !description || (example === undefined && !examples))
        .map(({ name }) => `${operationId}: ${name}`),
    )
    expect(faults).toEqual([])
  })

  test('/docs leaves optional parameters out of the requests that it composes', () => {
    const composed = read().operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ required, example, examples = {} }) => {
          const isLeftOut = Object.values(examples).every((shown) => shown['x-disabled'] === true)
          return !required && (example !== undefined || !isLeftOut)
        })
        .map(({ name }) => `${operationId}: ${name}`),
    )
    expect(composed).toEqual([])
  })

  test('no description says how the contract grew', () => {
    const said = /"(?:description|summary)":"(?:[^"\\]|\\.)*\badditive\b/i
    expect(said.exec(JSON.stringify(read().document))?.[0]).toBeUndefined()
  })
})

test.each([
  '/docs',
  '/docs/errors',
  '/docs/start.js',
  '/docs/openapi.json',
  '/plans',
  '/llms.txt',
  '/.well-known/api-catalog',
  '/.well-known/mcp.json',
  '/v1/items?limit=5',
  `/v1/items/${testId('ci_', 'item1')}`,
  '/v1/feeds/items.atom',
])('a 304 of %s says nothing that its 200 does not say', async (url) => {
  const { headers } = await api.inject(url)
  const again = await api.inject({ url, headers: { 'if-none-match': '*' } })
  expect(again.statusCode).toBe(304)
  // Each answer has its own time, number and count; a body has a type and a length.
  const own =
    /^(date|x-request-id|x-ratelimit-.*|ratelimit.*|content-(type|length)|last-modified|connection|keep-alive)$/
  const shown = (given: object) => Object.fromEntries(Object.entries(given).filter(([name]) => !own.test(name)))
  expect(shown(again.headers)).toEqual(shown(headers))
})

describe('machine-readable documents', () => {
  test('the root document, llms.txt and the API catalog link only to addresses that answer', async () => {
    const entrance = await fetch(origin)
    const texts = [
      await entrance.text(),
      String(entrance.headers.get('link')),
      (await read('/llms.txt')).body,
      (await read('/.well-known/api-catalog')).body,
    ]
    for (const text of texts) {
      const addresses = [...text.matchAll(/https?:\/\/[^\s"<>()[\]{};,]+/g)].map(([address]) => address)
      const ours = addresses.filter(
        (address) => address.startsWith(origin) && !/\/(api\/mcp|v1(\/items\/|\/keys\/.*)?)$/.test(address),
      )
      expect(ours.length).toBeGreaterThan(2)
      for (const address of new Set(ours)) {
        expect([address, (await fetch(address)).status]).toEqual([address, 200])
      }
      expect(addresses.filter((address) => !address.startsWith(origin) && address !== LICENCE.url)).toEqual([])
    }
  })

  test('the API catalog is a linkset of RFC 9727, for HEAD too', async () => {
    const response = await fetch(`${origin}/.well-known/api-catalog`)
    expect(response.headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    const { linkset } = (await response.json()) as { linkset: Record<string, unknown>[] }
    const catalog = linkset[0]
    const described = linkset.find(({ anchor }) => anchor === `${origin}/v1`)
    expect(catalog?.item).toMatchObject([{ href: `${origin}/v1` }, { href: `${origin}/api/mcp` }])
    expect(described).toMatchObject({
      anchor: `${origin}/v1`,
      'service-desc': [{ href: `${origin}/v1/openapi.json` }],
      'service-doc': expect.arrayContaining([expect.objectContaining({ href: `${origin}/docs` })]),
    })
    const head = await fetch(`${origin}/.well-known/api-catalog`, { method: 'HEAD' })
    expect(head.headers.get('link')).toBe(`<${origin}/.well-known/api-catalog>; rel="api-catalog"`)
  })

  test('llms.txt has a title, a summary and lists of links, with every error code', async () => {
    const { headers, body } = await read('/llms.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^# Construction Cost Catalog\n\n> .+\n\n/)
    for (const code of Object.keys(ERRORS)) expect(body).toContain(`\`${code}\``)
    for (const operation of ['GET /search', 'GET /items/{id}', 'POST /match'])
      expect(body).toContain(`\n- \`${operation}\`: `)
    expect(body).not.toContain('/keys/revoke')
  })

  test('the errors page lists every code, and errors link to their entry', async () => {
    const { headers, body } = await read('/docs/errors')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const [code, { status }] of Object.entries(ERRORS)) {
      expect(body).toContain(`<section id="${code}">\n<h2><code>${code}</code> <small>${status}</small></h2>`)
    }
    const { headers: refused } = await fetch(`${origin}/v1/items?limit=0`)
    expect(refused.get('link')).toBe(`<${origin}/docs/errors#invalid_parameter>; rel="help"`)
  })

  test('the data licence appears wherever the operator states one, and nowhere otherwise', async () => {
    const places = async (api: Api) => {
      const openapi = (await api.inject('/v1/openapi.json')).json()
      return [
        (await api.inject('/')).json().data_licence,
        openapi.info.license,
        openapi.info.description,
        (await api.inject('/llms.txt')).body,
      ]
    }
    const licenceText = '[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)'
    expect(await places(api)).toEqual([
      LICENCE,
      LICENCE,
      expect.stringContaining(licenceText),
      expect.stringContaining(licenceText),
    ])
    const noLicenceText = expect.stringContaining('has stated no licence for its data')
    expect(await places(testApi(store, clock))).toEqual([
      null,
      { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      noLicenceText,
      noLicenceText,
    ])
  })
})

describe('docs/api.md', () => {
  test('is the guide that /docs shows, with the address, the limits and the licence of the server', () => {
    const limits = { ...LIMITS, anonPerMinute: 61, searchPerMinute: 62, publicDevPerMonth: 63_000, orgPerMinute: 64 }
    const shown = guide({ origin, limits, dataLicence: LICENCE })
    for (const [from, to] of [
      [START, origin],
      [limitsTable(LIMITS), limitsTable(limits)],
      ['has stated no licence', `is under [${LICENCE.name}](${LICENCE.url})`],
    ] as const) {
      expect([from, PAGE.includes(from), shown.includes(from), shown.includes(to)]).toEqual([from, true, false, true])
    }
    const headings = (text: string) => text.match(/^## .*/gm) ?? []
    expect([...headings(shown), '## Statuses']).toEqual(headings(PAGE))
    // Files of the repository have no address there.
    expect([PAGE, shown].map((text) => /\]\((?!https?:)/.test(text))).toEqual([true, false])
  })

  test('never takes a refusal for a key, whatever words it says', async () => {
    const [, signup = ''] = /^```sh\n(answer=.*?)^```$/ms.exec(PAGE) ?? []
    using folder = mkdtempDisposableSync(join(tmpdir(), 'example-'))
    const refusal = '{"error":"signup_rate_limited","details":"expected fewer keys than svc_pub_abc"}'
    writeFileSync(join(folder.path, 'curl'), `#!/bin/sh\necho '${refusal}'\n`, { mode: 0o755 })
    const env = { ...process.env, PATH: `${folder.path}:${process.env.PATH}` }
    const refused = await run('bash', ['-c', signup], { env }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 127, stdout: '', stderr: expect.stringContaining(`no key: ${refusal}`) })
  })

  type Snippet = Readonly<{ language: string; text: string; answer: string | undefined }>
  const blocks = [...PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }))
  const snippets = blocks.flatMap(({ language, text }, i): Snippet[] =>
    language === 'json'
      ? []
      : [
          {
            language: language as string,
            text: text as string,
            answer: blocks[i + 1]?.language === 'json' ? blocks[i + 1]?.text : undefined,
          },
        ],
  )

  test('has examples in three languages', () => {
    expect(new Set(snippets.map(({ language }) => language))).toEqual(new Set(['sh', 'js', 'python']))
  })

  /** Runs an example on this server; returns what it prints. */
  async function printedBy({ language, text }: Snippet): Promise<string> {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'example-'))
    const [command, name] = { sh: ['bash', 'a.sh'], js: [process.execPath, 'a.mjs'], python: ['python3', 'a.py'] }[
      language
    ] as [string, string]
    const file = join(folder.path, name)
    writeFileSync(file, `${language === 'sh' ? 'set -eo pipefail\n' : ''}${text.replaceAll(START, origin)}`)
    return (await run(command, [file])).stdout
  }

  test.each(snippets.map((snippet, i) => [i + 1, snippet.language, snippet] as const))(
    'example %i, in %s, runs unchanged',
    async (_number, language, snippet) => {
      const stdout = await printedBy(snippet)
      if (snippet.answer !== undefined) {
        expect(missingFields(JSON.parse(snippet.answer), JSON.parse(stdout))).toEqual([])
      } else if (language === 'sh') {
        // The example that sets up the table below prints nothing.
        if (!snippet.text.startsWith('V1=')) expect(stdout).toMatch(/"(items?|points)"|"monthly_remaining":50000/)
        if (snippet.text.includes('text/markdown')) expect(stdout).toMatch(/"item".*# Drywall/s)
      } else {
        // Two pages list every item once.
        const ids = stdout.match(/ci_[a-z2-7]+/g) ?? []
        expect([ids.length, new Set(ids).size]).toEqual([120, 120])
      }
    },
  )
})

/** The paths of fields that an example answer shows and the real one lacks. Real nulls and empty lists tell nothing. */
function missingFields(shown: unknown, real: unknown, path = ''): string[] {
  if (shown === null || typeof shown !== 'object' || real === null) return []
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return [path]
    return real.length === 0 ? [] : shown.flatMap((element) => missingFields(element, real[0], `${path}[]`))
  }
  const fields = real as Record<string, unknown>
  return Object.entries(shown).flatMap(([name, value]) =>
    typeof real === 'object' && name in fields
      ? missingFields(value, fields[name], `${path}.${name}`)
      : [`${path}.${name}`],
  )
}

test('security.txt says where to report, for half a year, and is absent without a contact', async () => {
  const clock = testClock()
  const named = testApi(store, clock, { securityContact: 'mailto:security@example.org' })
  const { headers, body } = await named.inject('/.well-known/security.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const fields = new Map(
    body
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
  )
  expect(fields.get('Contact')).toBe('mailto:security@example.org')
  const days = (Date.parse(fields.get('Expires') as string) - clock.at.getTime()) / DAY_MS
  expect(days).toBeGreaterThan(170)
  expect(days).toBeLessThan(366)
  await named.close()
  const unnamed = testApi(store, clock)
  expect((await unnamed.inject('/.well-known/security.txt')).statusCode).toBe(404)
  await unnamed.close()
})
