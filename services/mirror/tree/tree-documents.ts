import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chainStart } from '@catalog/core/changes/change.ts'
import type { Downloads, RequestOptions } from '@catalog/mirror/downloads.ts'
import { checkedChanges, parseDocument } from '@catalog/mirror/feed-document.ts'
import { keysIn } from '@catalog/mirror/identity.ts'
import type { MirrorOptions } from '@catalog/mirror/mirror.ts'
import { contradiction, MirrorError, malformed, unsettled } from '@catalog/mirror/mirror-error.ts'
import type { FoundState } from '@catalog/mirror/origin.ts'
import type { OriginScope, OriginState } from '@catalog/mirror/origin-state.ts'
import { readManifest } from '@catalog/mirror/snapshot.ts'
import { bucketsOf } from '@catalog/mirror/sync-pass.ts'
import { commitPart, partOf } from '@catalog/runtime/durable-files.ts'
import { isFile, shaOfFile } from './tree-files.ts'

/** Downloads the documents of a tree and verifies each against state.json. */

/** One pass over the origin with one state.json. */
export type TreePass = Readonly<{
  url: string
  tree: string
  into: string
  scopes: readonly string[]
  state: FoundState
  stateUrl: string
  options: RequestOptions
  onProgress: (progress: TreeProgress) => void
  /** Options of the mirrors that verify the tree. */
  parts: Pick<MirrorOptions, 'keys' | 'acceptGeneration' | 'now' | 'wait'>
  isThorough: boolean
}>

export type TreeProgress = Readonly<{ scope: string; step: string; done: number; total: number }>

/** Path in the tree of an address below the folder of state.json; '' for any other address. */
export const pathOf = (address: string, stateUrl: string) => {
  const folder = new URL('.', stateUrl).href
  return address.startsWith(folder) ? address.slice(folder.length) : ''
}

export function scopeOf({ scopes }: OriginState, scope: string): OriginScope {
  const entry = scopes.get(scope)
  if (entry !== undefined) return entry
  const has = [...scopes.keys()].join(', ')
  throw new MirrorError(`scope '${scope}' is not there: expected one of ${has}`, { kind: 'unreachable' })
}

/** Reads and verifies a document; after a contradiction it reads once more, past the tree and all caches. */
async function readChecked<T>(read: (isFresh: boolean) => Promise<T>): Promise<T> {
  try {
    return await read(false)
  } catch (error) {
    if (!(error instanceof MirrorError) || error.kind !== 'contradiction') throw error
    return await read(true)
  }
}

async function bytesOf(downloads: Downloads, address: string, options: RequestOptions): Promise<Uint8Array> {
  const answer = await downloads.get(address, options)
  if (answer.kind === 'found') return answer.bytes
  throw new MirrorError(`GET ${address}: ${answer.kind}`, { kind: 'unsettled' })
}

/**
 * Downloads the closed pages above the floor and verifies the new ones: exact numbers and one chain. Answers the chain
 * at the ends of pages, by seq.
 */
export async function checkArchives(
  { state, options, onProgress }: TreePass,
  { scope, archives, previous }: { scope: string; archives: Downloads; previous: OriginState | null },
): Promise<ReadonlyMap<number, string>> {
  const { gen, pageSize } = state
  const { floor, closed, archiveUrl } = scopeOf(state, scope)
  const chains = new Map([[0, chainStart(gen, scope).toString('hex')]])
  const isSame = previous?.gen === gen && previous.pageSize === pageSize
  // Verify the last two again, because the subscription continues their chain.
  const checkedPages = isSame ? (previous?.scopes.get(scope)?.closed ?? 0) - 2 : 0
  for (let page = Math.max(floor / pageSize, checkedPages, 0); page < closed; page++) {
    const [seq, last] = [page * pageSize, (page + 1) * pageSize]
    const chain = await readChecked(async (isFresh) => {
      const document = parseDocument(await bytesOf(archives, archiveUrl(page), { ...options, isFresh }))
      requireRange(document, { gen, scope, first: seq + 1, last })
      checkedChanges(document, { scope, from: { seq, chain: chains.get(seq) ?? null }, chains: NO_CHAINS })
      return document.chain
    })
    chains.set(last, chain)
    onProgress({ scope, step: 'archives', done: page + 1, total: closed })
  }
  return chains
}
const NO_CHAINS: ReadonlyMap<number, string> = new Map()

function requireRange(
  found: Readonly<{ gen: string; scope: string; first: number; last: number }>,
  { gen, scope, first, last }: { gen: string; scope: string; first: number; last: number },
): void {
  const describe = (of: typeof found) => `${of.gen} ${of.scope} ${of.first} to ${of.last}`
  const [expected, what] = [describe({ gen, scope, first, last }), 'numbers of the document']
  if (describe(found) !== expected) throw contradiction({ scope, seq: first, what, expected, found: describe(found) })
}

/** Fetches the subscription, which must end where state.json does; otherwise they belong to different instants. */
export async function fetchSubscription(
  { state, options }: TreePass,
  { scope, downloads, boundaries }: { scope: string; downloads: Downloads; boundaries: ReadonlyMap<number, string> },
): Promise<Uint8Array> {
  const { head, chain, subscriptionUrl } = scopeOf(state, scope)
  return await readChecked(async (isFresh) => {
    const bytes = await bytesOf(downloads, subscriptionUrl, { ...options, isFresh })
    const document = parseDocument(bytes)
    const { gen, first, last } = document
    if (gen !== state.gen || last !== head) {
      const [expected, found] = [`${state.gen} to ${head}`, `${gen} to ${last}`]
      throw unsettled({ scope, seq: head, what: 'subscription', expected, found })
    }
    requireRange(document, { gen, scope, first, last })
    const from = { seq: first - 1, chain: boundaries.get(first - 1) ?? null }
    checkedChanges(document, { scope, from, chains: new Map([[head, chain]]) })
    return bytes
  })
}

/** File of scope items, beside the subscription that state.json names. */
const RSS = 'items.rss'

/** Fetches the RSS feed, if the origin has one. */
export async function fetchRss(
  { state, stateUrl, options }: TreePass,
  downloads: Downloads,
): Promise<{ path: string; bytes: Uint8Array }[]> {
  const { head } = scopeOf(state, 'items')
  const answer = await downloads.get(new URL(RSS, stateUrl).href, options)
  if (answer.kind !== 'found') return []
  const last = Number(/<(?:[\w-]+:)?last>(\d+)</.exec(Buffer.from(answer.bytes).toString('latin1'))?.[1])
  if (last !== head) throw unsettled({ scope: 'items', seq: head, what: RSS, expected: `to ${head}`, found: last })
  return [{ path: RSS, bytes: answer.bytes }]
}

/** Fetches the list of keys, which must have one that signed state.json. */
export async function fetchKeys(
  { state, stateUrl, options }: TreePass,
  downloads: Downloads,
): Promise<{ path: string; bytes: Uint8Array }> {
  const { catalog, keysUrl, signatures } = state.identity as NonNullable<FoundState['identity']>
  return await readChecked(async (isFresh) => {
    const bytes = await bytesOf(downloads, keysUrl, { ...options, isFresh })
    const found = keysIn(bytes, keysUrl)
    if (found.catalog !== catalog) throw malformed(`${keysUrl}: catalog: expected ${catalog}, found ${found.catalog}`)
    if (!signatures.some(({ key }) => found.keys.some(({ id }) => id === key)))
      throw malformed(`${keysUrl}: keys: expected one that signed state.json, found ${found.keys.length} others`)
    return { path: pathOf(keysUrl, stateUrl), bytes }
  })
}

export async function checkDigest(
  { state, options }: TreePass,
  { scope, archives }: { scope: string; archives: Downloads },
): Promise<void> {
  const digest = state.digest?.scopes.get(scope)
  if (digest === undefined) return
  await readChecked(async (isFresh) =>
    bucketsOf(await bytesOf(archives, digest.url, { ...options, isFresh }), { digest, scope }),
  )
}

/** Downloads every file of the manifest and verifies its hash. */
export async function fetchSnapshot(
  { tree, state, stateUrl, options, onProgress }: TreePass,
  { archives, downloads, previous }: { archives: Downloads; downloads: Downloads; previous: OriginState | null },
): Promise<void> {
  const manifest = await readChecked((isFresh) =>
    readManifest(state, (address) => bytesOf(archives, address, { ...options, isFresh })),
  )
  // An earlier pass verified this snapshot file by file.
  if (manifest === null || previous?.snapshot?.sha === state.snapshot?.sha) return
  const files = [...manifest.shards, ...manifest.scopeFiles.values(), ...manifest.files]
  for (const [i, { url, sha }] of files.entries()) {
    const file = join(tree, pathOf(url, stateUrl))
    if (!(await isFile(file)) || (await shaOfFile(file)) !== sha) {
      await fetchFile(downloads, { url, sha, file, options })
    }
    onProgress({ scope: 'snapshot', step: 'files', done: i + 1, total: files.length })
  }
}

/** Downloads a file, or the rest of one that an earlier pass began, and verifies its hash. */
async function fetchFile(
  downloads: Downloads,
  { url, sha, file, options }: { url: string; sha: string; file: string; options: RequestOptions },
): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const part = partOf(file)
  const wasBegun = await isFile(part)
  const answer = await downloads.get(url, { ...options, file: part })
  if (answer.kind !== 'found') throw new MirrorError(`GET ${url}: ${answer.kind}`, { kind: 'unsettled' })
  const found = await shaOfFile(part)
  if (found === sha) return await commitPart(file)
  await rm(part)
  if (!wasBegun) throw malformed(`${url}: sha256: expected ${sha}, found ${found}`)
  // What the earlier pass left was damaged.
  await fetchFile(downloads, { url, sha, file, options })
}
