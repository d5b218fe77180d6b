import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import { DigestResponse, SnapshotIndexResponse } from '@catalog/api/contract/contract.ts'
import type { Api } from '@catalog/api/server.ts'
import { isSignedBy } from '@catalog/core/changes/signature.ts'
import { rootOf, sha256Hex } from '@catalog/core/digest.ts'
import { markRun, publishAll, testApi, writeSnapshotFiles } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { published } from '@catalog/stack/testing/events.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { DIGESTS_KEPT, makeDigest, readNewestMark } from '@catalog/store/catalog/digests.ts'
import { beginGeneration } from '@catalog/store/catalog/generation.ts'
import { readMeta } from '@catalog/store/checkpoints.ts'
import { readFeedKeys, rotateFeedKey } from '@catalog/store/feed-keys.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const clock = testClock()
const store = await storeOfFile()
let folder: string
let api: Api
let gen: string
let manifest: string
let shardBytes: Buffer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-bulk-'))
  await publishAll(store, [
    published({ id: 'ci_a', regions: ['ES'] }),
    published({ id: 'ci_b', regions: ['UY'] }),
    published({ id: 'ci_a', cents: 7, version: 2, regions: ['ES'] }),
  ])
  await markRun(store)
  gen = (await readMeta(store, 'gen')) as string
  await makeDigest(store, { gen, mark: 3n })
  const written = writeSnapshotFiles(folder, { gen, seq: 3 })
  shardBytes = written.shard
  // This manifest names a file outside its folder, and is long enough to be coded.
  const named = written.manifest.replace('"files":[', '"files":[{"file":"../../../secret","sha256":"00"},')
  manifest = `${named}${' '.repeat(2_000)}`
  writeFileSync(join(folder, gen, '3', 'manifest.json'), manifest)
  writeFileSync(join(folder, gen, '3', 'unnamed.parquet'), 'of nobody')
  writeFileSync(join(folder, 'secret'), 'of nobody')
  api = testApi(store, clock, { snapshotDir: folder })
  await api.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

const getFeed = (url: string, headers: Record<string, string> = {}) => api.inject({ url: `/v1/feeds/${url}`, headers })
const shard = (headers: Record<string, string> = {}) => getFeed(`snapshots/${gen}/3/00.ndjson.gz`, headers)
const codeOf = async (url: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await getFeed(url, headers)
  return [statusCode, JSON.parse(body).error]
}

describe('a digest', () => {
  test("serves the hashes of its scope at the scope's own number, immutable", async () => {
    const { statusCode, headers, body } = await getFeed(`digest/${gen}/items/3.json`)
    const digest = DigestResponse.parse(JSON.parse(body))
    expect(statusCode).toBe(200)
    expect(digest).toMatchObject({ protocol: 'ccm/1', gen, scope: 'items', seq: 3, count: 2 })
    expect(rootOf(digest.buckets.map((bucket) => Buffer.from(bucket, 'hex')))).toBe(digest.state_root)
    expect(headers['cache-control']).toBe(IMMUTABLE)
    expect((await getFeed(`digest/${gen}/items/3.json`, { 'if-none-match': String(headers.etag) })).statusCode).toBe(
      304,
    )
    const region = DigestResponse.parse(JSON.parse((await getFeed(`digest/${gen}/region/uy/1.json`)).body))
    expect(region).toMatchObject({ scope: 'region/UY', seq: 1, count: 1 })
  })

  test('keeps its bytes when a later mark leaves its region unchanged', async () => {
    const before = await getFeed(`digest/${gen}/region/UY/1.json`)
    await publishAll(store, [published({ id: 'ci_a', cents: 8, version: 3, regions: ['ES'] })])
    await markRun(store)
    await makeDigest(store, { gen, mark: (await readNewestMark(store))?.mark ?? 0n })
    await using fresh = testApi(store, clock)
    expect((await fresh.inject({ url: `/v1/feeds/digest/${gen}/region/UY/1.json` })).body).toBe(before.body)
  })

  test('is signed when it is saved, and keeps these bytes through a rotation of the key', async () => {
    const address = `digest/${gen}/region/UY/1.json`
    const before = await getFeed(address)
    const { signatures = [], ...said } = DigestResponse.parse(JSON.parse(before.body))
    const { catalog, keys } = await readFeedKeys(store)
    expect([said.catalog, signatures.map(({ key }) => key)]).toEqual([catalog, keys.map(({ id }) => id)])
    const [{ public_key } = { public_key: '' }] = keys
    const signature = signatures[0]?.signature as string
    expect(isSignedBy(public_key, { kind: 'digest', document: said, signature })).toBe(true)
    expect(isSignedBy(public_key, { kind: 'digest', document: { ...said, count: 9 }, signature })).toBe(false)
    await rotateFeedKey(store, clock.at)
    await publishAll(store, [published({ id: 'ci_a', cents: 9, version: 4, regions: ['ES'] })])
    await markRun(store)
    await makeDigest(store, { gen, mark: (await readNewestMark(store))?.mark ?? 0n })
    await using fresh = testApi(store, clock)
    expect((await fresh.inject({ url: `/v1/feeds/${address}` })).body).toBe(before.body)
    const { digest } = (await fresh.inject({ url: '/v1/feeds/state.json' })).json()
    const newest = (await fresh.inject({ url: `/v1/feeds/${digest.scopes.items.url}` })).json()
    expect(newest.signatures).toHaveLength(2)
  })

  test('that was saved without signatures stays without: its bytes never change', async () => {
    await store.query(`update digests set signed = null where scope = 'region/UY'`)
    await publishAll(store, [published({ id: 'ci_a', cents: 10, version: 5, regions: ['ES'] })])
    await markRun(store)
    await makeDigest(store, { gen, mark: (await readNewestMark(store))?.mark ?? 0n })
    await using fresh = testApi(store, clock)
    const document = (await fresh.inject({ url: `/v1/feeds/digest/${gen}/region/UY/1.json` })).json()
    expect(document).toHaveProperty('buckets')
    expect(document).not.toHaveProperty('signatures')
  })

  test('is not found without a digest, in another generation or in an unknown region', async () => {
    expect(await codeOf(`digest/${gen}/items/2.json`)).toEqual([404, 'file_not_found'])
    expect(await codeOf(`digest/another/items/3.json`)).toEqual([404, 'file_not_found'])
    expect(await codeOf(`digest/${gen}/region/XX/1.json`)).toEqual([404, 'feed_not_found'])
    expect(await codeOf(`digest/${gen}/items/x.json`)).toEqual([400, 'invalid_parameter'])
  })

  test('disappears when another generation begins', async () => {
    await beginGeneration(store, { gen: 'restored' })
    clock.advance(1_000)
    expect(await codeOf(`digest/${gen}/items/3.json`)).toEqual([404, 'file_not_found'])
    await beginGeneration(store, { gen })
    clock.advance(1_000)
    expect((await getFeed(`digest/${gen}/items/3.json`)).statusCode).toBe(200)
  })
})

describe('a file of a snapshot', () => {
  test('has its hash as the ETag, its own media type, and never changes', async () => {
    const { statusCode, headers, rawPayload } = await shard()
    expect([statusCode, rawPayload]).toEqual([200, shardBytes])
    expect(headers).toMatchObject({
      etag: `"${sha256Hex(shardBytes)}"`,
      'cache-control': IMMUTABLE,
      'content-type': 'application/gzip',
      'accept-ranges': 'bytes',
      'content-length': String(shardBytes.length),
    })
    expect(headers['content-encoding']).toBeUndefined()
    const named = await getFeed(`snapshots/${gen}/3/manifest.json`)
    expect([named.body, named.headers.etag]).toEqual([manifest, `"${sha256Hex(manifest)}"`])
    expect((await getFeed(`snapshots/${gen}/3/items.parquet`)).headers['content-type']).toBe(
      'application/vnd.apache.parquet',
    )
  })

  test('is coded only if it is the manifest, whose coded form has a tag of its own', async () => {
    const accepting = { 'accept-encoding': 'gzip' }
    const { rawPayload, headers } = await getFeed(`snapshots/${gen}/3/manifest.json`, accepting)
    const tag = `"${sha256Hex(manifest)}-gzip"`
    expect([gunzipSync(rawPayload).toString(), headers.etag]).toEqual([manifest, tag])
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': IMMUTABLE })
    expect(headers.vary).toContain('Accept-Encoding')
    const again = await getFeed(`snapshots/${gen}/3/manifest.json`, { ...accepting, 'if-none-match': tag })
    expect(again.statusCode).toBe(304)
    const part = await getFeed(`snapshots/${gen}/3/manifest.json`, { ...accepting, range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([206, manifest.slice(0, 4)])
    expect((await shard(accepting)).headers['content-encoding']).toBeUndefined()
  })

  test.each([
    ['bytes=4-8', 4, 8],
    ['bytes=40-', 40, 46],
    ['bytes=-6', 41, 46],
    ['bytes=40-4000', 40, 46],
  ])('answers %s with that part of its bytes', async (range, first, last) => {
    const { statusCode, headers, rawPayload } = await shard({ range })
    expect([statusCode, headers['content-range']]).toEqual([206, `bytes ${first}-${last}/${shardBytes.length}`])
    expect(rawPayload).toEqual(shardBytes.subarray(first, last + 1))
    expect(headers).toMatchObject({ etag: `"${sha256Hex(shardBytes)}"`, 'cache-control': IMMUTABLE })
  })

  test('answers a range beyond its end with 416 in our error format', async () => {
    const { statusCode, headers, body } = await shard({ range: `bytes=${shardBytes.length}-` })
    expect([statusCode, JSON.parse(body).error]).toEqual([416, 'range_not_satisfiable'])
    expect(headers).toMatchObject({ 'content-range': `bytes */${shardBytes.length}`, 'cache-control': 'no-store' })
    // The error must not carry the ETag of the file.
    expect(headers.etag).toBeUndefined()
  })

  test('continues only if If-Range matches its bytes, else starts over', async () => {
    const range = 'bytes=4-8'
    const etag = `"${sha256Hex(shardBytes)}"`
    const [same, other, weak] = await Promise.all(
      [etag, `"${sha256Hex('another')}"`, `W/${etag}`].map((tag) => shard({ range, 'if-range': tag })),
    )
    expect([same?.statusCode, same?.rawPayload]).toEqual([206, shardBytes.subarray(4, 9)])
    expect([other?.statusCode, other?.rawPayload]).toEqual([200, shardBytes])
    expect(weak?.statusCode).toBe(200)
    const modified = String((await shard()).headers['last-modified'])
    expect((await shard({ range, 'if-range': modified })).statusCode).toBe(206)
    expect((await shard({ range, 'if-range': 'Thu, 01 Jan 1970 00:00:00 GMT' })).statusCode).toBe(200)
  })

  test('honours If-None-Match and If-Match', async () => {
    const etag = `"${sha256Hex(shardBytes)}"`
    const unchanged = await shard({ 'if-none-match': `"other", W/${etag}` })
    expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', etag])
    expect((await shard({ 'if-none-match': '"other"' })).statusCode).toBe(200)
    expect((await shard({ 'if-match': etag })).statusCode).toBe(200)
    expect(await codeOf(`snapshots/${gen}/3/00.ndjson.gz`, { 'if-match': '"other"' })).toEqual([
      412,
      'precondition_failed',
    ])
    const longAgo = { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }
    expect(await codeOf(`snapshots/${gen}/3/00.ndjson.gz`, longAgo)).toEqual([412, 'precondition_failed'])
  })

  test('answers HEAD with its length and no bytes', async () => {
    const { statusCode, headers, body } = await api.inject({
      method: 'HEAD',
      url: `/v1/feeds/snapshots/${gen}/3/00.ndjson.gz`,
    })
    expect([statusCode, body, headers['content-length']]).toEqual([200, '', String(shardBytes.length)])
  })

  test('is served only if the manifest names it; paths outside the snapshots are not found', async () => {
    for (const file of ['unnamed.parquet', '..%2f..%2f..%2fsecret', '..%2f..%2fsecret', 'ff.ndjson.gz', '%00', '.']) {
      expect([file, ...(await codeOf(`snapshots/${gen}/3/${file}`))]).toEqual([file, 404, 'file_not_found'])
    }
    expect(await codeOf(`snapshots/${gen}/4/manifest.json`)).toEqual([404, 'file_not_found'])
    expect(await codeOf(`snapshots/..%2f..%2fx/3/manifest.json`)).toEqual([400, 'invalid_parameter'])
    expect(await codeOf('snapshots/secret')).toEqual([404, 'not_found'])
    expect(await codeOf(`snapshots/${gen}`)).toEqual([404, 'not_found'])
    expect(await codeOf(`snapshots/${gen}/3/`)).toEqual([404, 'file_not_found'])
    // This raw client does not normalize the path before it sends it.
    const { port } = api.server.address() as AddressInfo
    for (const path of [`/v1/feeds/snapshots/${gen}/3/../../secret`, `/v1/feeds/snapshots/../secret`]) {
      const answer = await new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path }, (response) => void text(response).then(resolve, reject)).on(
          'error',
          reject,
        )
      })
      expect(answer).toContain('not_found')
    }
  })
})

test('the list of snapshots revalidates on every request', async () => {
  const { statusCode, headers, body } = await getFeed('snapshots/index.json')
  expect(statusCode).toBe(200)
  expect(SnapshotIndexResponse.parse(JSON.parse(body))).toEqual({ protocol: 'ccm/1', snapshots: [] })
  expect(headers['cache-control']).toBe('public, no-cache')
})

test('a server without a snapshot folder answers 404', async () => {
  await using bare = testApi(store, clock)
  for (const path of ['index.json', `${gen}/3/manifest.json`]) {
    const { statusCode, body } = await bare.inject({ url: `/v1/feeds/snapshots/${path}` })
    expect([statusCode, JSON.parse(body).error]).toEqual([404, 'file_not_found'])
  }
})

test('digests and files count as revalidations, not as requests', async () => {
  await using strict = testApi(store, clock, { snapshotDir: folder, limits: { ...LIMITS, anonPerMinute: 2 } })
  // No other test calls from this address, so its limits are unused.
  const remoteAddress = '203.0.113.9'
  const statuses: number[] = []
  for (let i = 0; i < 21; i++) {
    const url = i % 2 === 0 ? `snapshots/${gen}/3/00.ndjson.gz` : `digest/${gen}/items/3.json`
    statuses.push((await strict.inject({ url: `/v1/feeds/${url}`, remoteAddress })).statusCode)
  }
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(statuses[20]).toBe(429)
  expect((await strict.inject({ url: '/v1/items', remoteAddress })).statusCode).toBe(200)
})

test('a digest that the store keeps no longer is not found, also where it was asked for before', async () => {
  await using running = testApi(store, clock)
  const url = `/v1/feeds/digest/${gen}/items/3.json`
  // The second answer is cached.
  for (let i = 0; i < 2; i++) expect((await running.inject(url)).statusCode).toBe(200)
  for (let i = 0; i < DIGESTS_KEPT; i++) {
    await publishAll(store, [published({ id: 'ci_a', cents: 100 + i, version: 10 + i, regions: ['ES'] })])
    await markRun(store)
    await makeDigest(store, { gen, mark: (await readNewestMark(store))?.mark ?? 0n })
  }
  clock.advance(1_000)
  await using restarted = testApi(store, clock)
  expect([(await restarted.inject(url)).statusCode, (await running.inject(url)).statusCode]).toEqual([404, 404])
})
