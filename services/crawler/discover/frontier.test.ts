import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '@catalog/core/time.ts'
import type { Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import { expect, test } from 'vitest'
import { Frontier } from './frontier.ts'
import { openSpool } from './spool.ts'

/** A body; or a failure, in minutes of pause that follow. A negative number fails without a request. */
type Answer = 'body' | number

/** Returns the minutes waited and the outcome of each address in order, for a fetcher with these answers. */
async function fetchAll(
  answers: readonly Answer[],
  { isDeferrable = false, atOnce = 1, isPatient = true, isUnknown = false } = {},
): Promise<{ waited: number; came: string }> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'frontier-'))
  let nowMs = 0
  const left = [...answers]
  const get: Fetcher['get'] = async (url, { into }) => {
    const answer = left.shift() ?? 'body'
    if (answer !== 'body') {
      const retryAt = new Date(nowMs + Math.abs(answer) * MINUTE_MS)
      const failed = { url, sentence: `${url}: no`, httpStatus: null, retryAt, isRequested: answer > 0 }
      return { status: isUnknown ? 'refused' : 'failed', ...failed }
    }
    await writeFile(into, '')
    const found = { url, etag: null, lastModified: null, contentType: null, charset: null }
    return { status: 'fetched', ...found, bytes: 0, sha256: '' }
  }
  const clock = {
    now: () => nowMs,
    async sleep(ms: number) {
      const untilMs = nowMs + ms
      await new Promise(setImmediate)
      nowMs = Math.max(nowMs, untilMs)
    },
  }
  const crawl = { crawlId: 'crawl-1', sourceId: 'shop', startedAt: new Date(0), digest: '', now: new Date(0) }
  await using spool = await openSpool(join(folder.path, 'crawl-1'), crawl)
  const frontier = new Frontier({
    fetcher: { get },
    spool,
    clock,
    signal: undefined,
    pagesMax: 99,
    isPatient,
    onProgress: undefined,
  })
  let came = ''
  while (left.length > 0) {
    const urls = Array.from({ length: atOnce }, (_, n) => `https://shop.example/${left.length}-${n}`)
    const outcomes = await Promise.all(urls.map((url) => frontier.fetch(url, { bytesMax: 1, isDeferrable })))
    for (const { status } of outcomes) {
      came += { fetched: '+', deferred: '~', missed: '-', settled: '?', gone: '?', unchanged: '?', forbidden: '?' }[
        status
      ]
    }
  }
  return { waited: nowMs / MINUTE_MS, came }
}
const turns = (count: number, ...answers: Answer[]) => Array.from({ length: count }, () => answers).flat()

test.each<[string, Answer[], { waited: number; came: string }]>([
  ['after a failure is requested once more', [10, 'body', 'body'], { waited: 10, came: '++' }],
  ['since before is requested after the pause', [-10, 'body'], { waited: 10, came: '+' }],
  ['since before, and fails after that, is requested once more', [-10, 10, 'body'], { waited: 20, came: '+' }],
  ['for long makes nobody wait', [16, 'body'], { waited: 0, came: '-+' }],
  ['again and again is waited for while documents come', turns(5, 10, 'body'), { waited: 50, came: '+++++' }],
  ['is waited for twice without a document', [10, 10, 10, 10, 'body'], { waited: 20, came: '---+' }],
  ['since before is waited for twice as well', [-10, -10, -10, -10, 'body'], { waited: 20, came: '--+' }],
  ['all the time is waited for some hours', turns(14, 15, 'body'), { waited: 12 * 15, came: `${'+'.repeat(12)}-+-+` }],
])('a host that is paused %s', async (_name, answers, expected) => {
  expect(await fetchAll(answers)).toEqual(expected)
})

test.each<[string, Answer[], { waited: number; came: string }]>([
  ['after it failed', [10, 'body'], { waited: 10, came: '~+' }],
  ['not without a request for it', [-10, 'body'], { waited: 10, came: '+' }],
  ['not when its host is paused for too long', [16, 'body'], { waited: 0, came: '-+' }],
])('defers an address %s', async (_name, answers, expected) => {
  expect(await fetchAll(answers, { isDeferrable: true })).toEqual(expected)
})

test('waits neither for a host that never answered nor in an interactive crawl', async () => {
  expect(await fetchAll([10, 'body'], { isUnknown: true })).toEqual({ waited: 0, came: '-+' })
  expect(await fetchAll([10, 'body'], { isPatient: false })).toEqual({ waited: 0, came: '-+' })
})

test('addresses that fail at once share one pause', async () => {
  expect(await fetchAll([10, 10, 10, 10, 10, 'body'], { atOnce: 5 })).toEqual({ waited: 10, came: '+++++' })
})
