import {
  appendFile,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { digestOf, openSpool, readSpool, SPOOL_AGE_MAX_MS, type Spool, type SpooledBody, spoolsOf } from './spool.ts'

const STARTED_AT = new Date('2026-01-30T04:30:00Z')
const CRAWL = { crawlId: 'crawl-1', sourceId: 'obramat', startedAt: STARTED_AT, digest: 'd1', now: STARTED_AT }
type Crawl = Parameters<typeof openSpool>[1]

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
let path: string
let number = 0
beforeAll(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'spool-'))
})
afterAll(() => folder?.remove())
beforeEach(() => {
  path = join(folder.path, `crawl-${++number}`)
})
const open = (changes: Partial<Crawl> = {}) => openSpool(path, { ...CRAWL, ...changes })

async function bodyOf(spool: Spool, asked: string, changes: Partial<SpooledBody> = {}): Promise<SpooledBody> {
  const file = spool.next()
  await writeFile(file, asked)
  const url = `https://shop.example/${asked}`
  const found = { file, url, name: url, contentType: 'text/html', charset: null, fetchedAt: '2026-01-30T04:31:00Z' }
  const told = {
    etag: null,
    lastModified: null,
    robotsTag: null,
    nextLink: null,
    format: null,
    records: null,
    expectsOffer: true,
  }
  return { kept: 'document', asked, ...found, ...told, bytes: asked.length, sha256: 'f'.repeat(64), ...changes }
}
const fill = async (spool: Spool, ...asked: string[]) => {
  for (const one of asked) await spool.add(await bodyOf(spool, one))
}
const named = async (spool: Pick<Spool, 'read'>) => {
  const names: string[] = []
  for await (const { file, url } of spool.read()) names.push(`${basename(file)} ${new URL(url).pathname.slice(1)}`)
  return names
}
const manifest = () => join(path, 'documents.jsonl')

test('reads added documents in order with all their fields, and leaves out bodies that were only followed', async () => {
  await using spool = await open()
  const first = await bodyOf(spool, 'feed', { format: 'csv', records: 'data.items', charset: 'utf-8', etag: '"1"' })
  await spool.add(first)
  await spool.add(await bodyOf(spool, 'sitemap', { kept: 'walked' }))
  await spool.add({ kept: 'nothing', asked: 'leaflet' })
  await fill(spool, 'page')
  expect(await named(spool)).toEqual(['0000001 feed', '0000003 page'])
  const {
    kept: _kept,
    asked: _asked,
    etag: _etag,
    lastModified: _at,
    robotsTag: _tag,
    nextLink: _next,
    ...document
  } = first
  expect(await spool.read().next()).toEqual({ done: false, value: document })
  expect(spool).toMatchObject({ documents: 2, bytes: 'feed'.length + 'sitemap'.length + 'page'.length })
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

test('writes whole lines when many bodies are added at once', async () => {
  await using spool = await open()
  const names = Array.from({ length: 200 }, (_, n) => `page-${n}`)
  await Promise.all(names.map(async (name) => spool.add(await bodyOf(spool, name))))
  expect((await named(spool)).map((one) => one.split(' ')[1]).sort()).toEqual(names.sort())
})

describe('an unfinished crawl', () => {
  test('resumes with its documents under its first start time', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a', 'b')
      await spool.add({ kept: 'nothing', asked: 'c' })
    }
    const now = new Date(STARTED_AT.getTime() + SPOOL_AGE_MAX_MS)
    await using spool = await open({ startedAt: now, now })
    expect(spool.crawl.startedAt).toEqual(STARTED_AT)
    expect(spool).toMatchObject({ documents: 2, bytes: 2 })
    expect(spool.earlier('a')).toMatchObject({ kept: 'document', file: join(path, '0000001') })
    expect(spool.earlier('c')).toEqual({ kept: 'nothing', asked: 'c' })
    expect(spool.earlier('d')).toBeUndefined()
    await fill(spool, 'd')
    expect(await named(spool)).toEqual(['0000001 a', '0000002 b', '0000003 d'])
  })

  test.each<[string, Partial<Crawl>]>([
    ['is older than a day', { now: new Date(STARTED_AT.getTime() + SPOOL_AGE_MAX_MS + 1) }],
    ['is of another specification', { digest: 'd2' }],
    ['is another one', { crawlId: 'crawl-2' }],
    ['is of another source', { sourceId: 'leroy' }],
  ])('begins anew when its spool %s', async (_name, changes) => {
    {
      await using spool = await open()
      await fill(spool, 'a')
    }
    await using spool = await open(changes)
    expect(spool).toMatchObject({ documents: 0, bytes: 0, crawl: { startedAt: STARTED_AT } })
    expect(await named(spool)).toEqual([])
    expect((await readdir(path)).sort()).toEqual(['crawl.json', 'documents.jsonl'])
  })

  test('begins anew when its head is unreadable', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a')
    }
    await writeFile(join(path, 'crawl.json'), '{"crawlId"')
    await using spool = await open()
    expect(spool.documents).toBe(0)
  })
})

describe('after a crash', () => {
  test('at any byte of the manifest, has the documents of its complete lines', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a', 'b')
    }
    const whole = await readFile(manifest())
    const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []))
    const bodies = ['0000001', '0000002']
    for (let length = whole.length; length >= 0; length -= length > 60 && !ends.includes(length - 1) ? 59 : 1) {
      for (const [n, body] of bodies.entries()) await writeFile(join(path, body), 'ab'[n] as string)
      await writeFile(manifest(), whole.subarray(0, length))
      const expected = ends.filter((end) => end <= length).length
      await using spool = await open()
      expect(await named(spool)).toEqual(['0000001 a', '0000002 b'].slice(0, expected))
      expect((await readdir(path)).filter((name) => /^\d/.test(name))).toEqual(bodies.slice(0, expected))
      await fill(spool, 'c')
      expect((await named(spool)).at(-1)).toBe(`000000${expected + 1} c`)
    }
  })

  test('ignores every line after an unreadable one', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a', 'b', 'c')
    }
    const lines = (await readFile(manifest(), 'utf8')).split('\n')
    await writeFile(manifest(), [lines[0], '\0'.repeat(50), lines[2], ''].join('\n'))
    await using spool = await open()
    expect(await named(spool)).toEqual(['0000001 a'])
  })

  test('ignores a line whose body did not reach the disk', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a', 'bbb', 'c')
    }
    await rm(join(path, '0000001'))
    await truncate(join(path, '0000002'), 1)
    await using spool = await open()
    expect(await named(spool)).toEqual(['0000003 c'])
    expect(spool.earlier('a')).toBeUndefined()
    expect(spool).toMatchObject({ documents: 1, bytes: 1 })
  })

  test('removes bodies without a line, and keeps unknown files', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a')
      await writeFile(spool.next(), 'no line')
      await writeFile(`${spool.next()}.part`, 'half')
      await writeFile(join(path, 'fetched.json'), '{}')
    }
    await using _spool = await open()
    expect((await readdir(path)).sort()).toEqual(['0000001', 'crawl.json', 'documents.jsonl', 'fetched.json'])
  })
})

describe('the spools of a source', () => {
  test('are listed newest first, without other folders', async () => {
    for (const [name, startedAt] of [
      ['one', '2026-01-28T00:00:00Z'],
      ['two', '2026-01-30T00:00:00Z'],
      ['three', '2026-01-29T00:00:00Z'],
    ] as const) {
      const crawl = { ...CRAWL, crawlId: name, startedAt: new Date(startedAt) }
      await using _spool = await openSpool(join(path, name), crawl)
    }
    await mkdir(join(path, 'empty'))
    await writeFile(join(path, 'a-file'), '')
    const found = await spoolsOf(path)
    expect(found.map(({ crawlId }) => crawlId)).toEqual(['two', 'three', 'one'])
    expect(found[0]).toMatchObject({ folder: join(path, 'two'), digest: 'd1', startedAt: new Date('2026-01-30') })
    expect(await spoolsOf(join(path, 'nowhere'))).toEqual([])
  })

  test('can be read at any age without a change', async () => {
    {
      await using spool = await open()
      await fill(spool, 'a', 'bb')
      await appendFile(manifest(), '{"kept":"docu')
    }
    const before = await readFile(manifest(), 'utf8')
    const spool = await readSpool(path)
    expect(await named(spool)).toEqual(['0000001 a', '0000002 bb'])
    expect(spool).toMatchObject({ bytes: 3, documents: 2, crawl: { crawlId: 'crawl-1', startedAt: STARTED_AT } })
    expect(await readFile(manifest(), 'utf8')).toBe(before)
    await expect(readSpool(join(path, 'nowhere'))).rejects.toThrow('nowhere: expected a crawl that was fetched into it')
  })
})

test('the digest covers what is fetched, not how it is read', () => {
  const spec = { entryPoints: [{ kind: 'document', url: 'https://shop.example/' }], pagesMax: 10, trust: 60 }
  const trusted = { ...spec, trust: 70 }
  expect(digestOf(trusted)).toBe(digestOf(spec))
  expect(digestOf({ ...spec, pagesMax: 11 })).not.toBe(digestOf(spec))
  expect(digestOf({ ...spec, entryPoints: [{ kind: 'site', url: 'https://shop.example/' }] })).not.toBe(digestOf(spec))
})
