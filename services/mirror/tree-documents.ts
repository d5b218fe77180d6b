import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chainStart } from '@catalog/core/changes/change.ts'
import { checkedChanges, parseDocument } from './feed-document.ts'
import type { Asking, Downloads } from './downloads.ts'
import { isFile, partOf, settle, shaOfFile } from './durable-files.ts'
import type { FoundState } from './origin.ts'
import { bucketsOf } from './sync-pass.ts'
import { contradiction, MirrorProblem, unsettled } from './mirror-error.ts'
import { readManifest } from './snapshot.ts'
import type { OriginScope, OriginState } from './origin-state.ts'

/** Bringing the documents of a tree, each checked: what state.json leads to, as it stands at the origin. */

/** A pass over the origin at one state.json. */
export type Pass = Readonly<{
  url: string
  tree: string
  into: string
  scopes: readonly string[]
  state: FoundState
  stateUrl: string
  asking: Asking
  onProgress: (progress: TreeProgress) => void
}>

export type TreeProgress = Readonly<{ scope: string; step: string; done: number; total: number }>

/** The path in the tree of an address below the folder of state.json; '' for any other. */
export const pathOf = (address: string, stateUrl: string) => {
  const folder = new URL('.', stateUrl).href
  return address.startsWith(folder) ? address.slice(folder.length) : ''
}

export function scopeOf({ scopes }: OriginState, scope: string): OriginScope {
  const entry = scopes.get(scope)
  if (entry !== undefined) return entry
  const has = [...scopes.keys()].join(', ')
  throw new MirrorProblem(`scope '${scope}' is not there: expected one of ${has}`, { kind: 'unreachable' })
}

/** Reads a document and checks it; what is wrong is asked for once more, past the tree and all caches. */
async function checked<T>(read: (isFresh: boolean) => Promise<T>): Promise<T> {
  try {
    return await read(false)
  } catch (error) {
    if (!(error instanceof MirrorProblem) || error.kind !== 'contradiction') throw error
    return await read(true)
  }
}

async function bytesOf(downloads: Downloads, address: string, asking: Asking): Promise<Uint8Array> {
  const answer = await downloads.get(address, asking)
  if (answer.kind === 'found') return answer.bytes
  throw new MirrorProblem(`GET ${address}: ${answer.kind}`, { kind: 'unsettled' })
}

/**
 * Brings the closed pages above the floor and checks those that the tree had not: each its own numbers exactly, all one
 * chain. Gives the chain at the ends of the last pages, by seq.
 */
export async function checkArchives(
  { state, asking, onProgress }: Pass,
  { scope, kept, before }: { scope: string; kept: Downloads; before: OriginState | null },
): Promise<ReadonlyMap<number, string>> {
  const { gen, pageSize } = state
  const { floor, closed, archiveUrl } = scopeOf(state, scope)
  const chains = new Map([[0, chainStart(gen, scope).toString('hex')]])
  const isSame = before?.gen === gen && before.pageSize === pageSize
  // The last two were checked too, and the subscription goes on from them.
  const checkedPages = isSame ? (before?.scopes.get(scope)?.closed ?? 0) - 2 : 0
  for (let page = Math.max(floor / pageSize, checkedPages, 0); page < closed; page++) {
    const [seq, last] = [page * pageSize, (page + 1) * pageSize]
    const chain = await checked(async (isFresh) => {
      const document = parseDocument(await bytesOf(kept, archiveUrl(page), { ...asking, isFresh }))
      requireHead(document, { gen, scope, first: seq + 1, last })
      checkedChanges(document, { scope, from: { seq, chain: chains.get(seq) ?? null }, chains: NO_CHAINS })
      return document.chain
    })
    chains.set(last, chain)
    onProgress({ scope, step: 'archives', done: page + 1, total: closed })
  }
  return chains
}
const NO_CHAINS: ReadonlyMap<number, string> = new Map()

function requireHead(
  found: Readonly<{ gen: string; scope: string; first: number; last: number }>,
  { gen, scope, first, last }: { gen: string; scope: string; first: number; last: number },
): void {
  const told = (of: typeof found) => `${of.gen} ${of.scope} ${of.first} to ${of.last}`
  const [expected, what] = [told({ gen, scope, first, last }), 'numbers of the document']
  if (told(found) !== expected) throw contradiction({ scope, seq: first, what, expected, found: told(found) })
}

/** The subscription, which ends where state.json does: otherwise the two are not of one instant. */
export async function checkedSubscription(
  { state, asking }: Pass,
  { scope, downloads, boundaries }: { scope: string; downloads: Downloads; boundaries: ReadonlyMap<number, string> },
): Promise<Uint8Array> {
  const { head, chain, subscriptionUrl } = scopeOf(state, scope)
  return await checked(async (isFresh) => {
    const bytes = await bytesOf(downloads, subscriptionUrl, { ...asking, isFresh })
    const document = parseDocument(bytes)
    const { gen, first, last } = document
    if (gen !== state.gen || last !== head) {
      const [expected, found] = [`${state.gen} to ${head}`, `${gen} to ${last}`]
      throw unsettled({ scope, seq: head, what: 'subscription', expected, found })
    }
    requireHead(document, { gen, scope, first, last })
    const from = { seq: first - 1, chain: boundaries.get(first - 1) ?? null }
    checkedChanges(document, { scope, from, chains: new Map([[head, chain]]) })
    return bytes
  })
}

/** Of scope items, beside the subscription that state.json names. */
const RSS = 'items.rss'

/** The feed for readers of RSS, where the origin has one. */
export async function rss(
  { state, stateUrl, asking }: Pass,
  downloads: Downloads,
): Promise<{ path: string; bytes: Uint8Array }[]> {
  const { head } = scopeOf(state, 'items')
  const answer = await downloads.get(new URL(RSS, stateUrl).href, asking)
  if (answer.kind !== 'found') return []
  const last = Number(/<(?:[\w-]+:)?last>(\d+)</.exec(Buffer.from(answer.bytes).toString('latin1'))?.[1])
  if (last !== head) throw unsettled({ scope: 'items', seq: head, what: RSS, expected: `to ${head}`, found: last })
  return [{ path: RSS, bytes: answer.bytes }]
}

export async function checkDigest(
  { state, asking }: Pass,
  { scope, kept }: { scope: string; kept: Downloads },
): Promise<void> {
  const digest = state.digest?.scopes.get(scope)
  if (digest === undefined) return
  await checked(async (isFresh) =>
    bucketsOf(await bytesOf(kept, digest.url, { ...asking, isFresh }), { digest, scope }),
  )
}

/** Every file that the manifest names, each with its hash. */
export async function fetchSnapshot(
  { tree, state, stateUrl, asking, onProgress }: Pass,
  { kept, downloads, before }: { kept: Downloads; downloads: Downloads; before: OriginState | null },
): Promise<void> {
  const manifest = await checked((isFresh) =>
    readManifest(state, (address) => bytesOf(kept, address, { ...asking, isFresh })),
  )
  // It was checked file by file when the tree came to it.
  if (manifest === null || before?.snapshot?.sha === state.snapshot?.sha) return
  const files = [...manifest.shards, ...manifest.files]
  for (const [i, { url, sha }] of files.entries()) {
    const file = join(tree, pathOf(url, stateUrl))
    if (!(await isFile(file)) || (await shaOfFile(file)) !== sha) {
      await mkdir(dirname(file), { recursive: true })
      const part = partOf(file)
      const answer = await downloads.get(url, { ...asking, file: part })
      if (answer.kind !== 'found') throw new MirrorProblem(`GET ${url}: ${answer.kind}`, { kind: 'unsettled' })
      const found = await shaOfFile(part)
      if (found !== sha) {
        await rm(part)
        throw new MirrorProblem(`${url}: sha256: expected ${sha}, found ${found}`, { kind: 'contradiction' })
      }
      await settle(file)
    }
    onProgress({ scope: 'snapshot', step: 'files', done: i + 1, total: files.length })
  }
}
