import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, type DownloadOptions, type Downloads, openDownloads, waitFor } from '@catalog/mirror/downloads.ts'
import type { Identity } from '@catalog/mirror/identity.ts'
import { type MirrorOptions, openMirror } from '@catalog/mirror/mirror.ts'
import { MirrorError, unsettled } from '@catalog/mirror/mirror-error.ts'
import { type FoundState, openOrigin } from '@catalog/mirror/origin.ts'
import { type OriginState, parseState } from '@catalog/mirror/origin-state.ts'
import { replaceFile } from '@catalog/runtime/durable-files.ts'
import { packedFile, type TreeFile } from './gzip-file.ts'
import {
  checkArchives,
  checkDigest,
  fetchKeys,
  fetchRss,
  fetchSnapshot,
  fetchSubscription,
  pathOf,
  scopeOf,
  type TreePass,
  type TreeProgress,
} from './tree-documents.ts'
import { isFile, removeFilesExcept, writeSums } from './tree-files.ts'

/**
 * A byte-for-byte copy of an origin's feeds as plain files, which any file server can serve to mirrors.
 *
 * Law: state.json is replaced last, atomically, and every file fits it: all documents were verified, and mirrors of the
 * scopes were built from these very files.
 */
export type TreeOptions = DownloadOptions &
  Pick<MirrorOptions, 'keys' | 'acceptGeneration'> &
  Readonly<{
    /** The base address of the origin with its /v1, or the folder of a static copy. */
    url: string
    /** Folder of the tree. */
    tree: string
    /** Folder of the mirrors that verify the tree. */
    into: string
    /** Empty for all scopes of the origin. */
    scopes: readonly string[]
    signal?: AbortSignal
    onProgress?: (progress: TreeProgress) => void
    /** Checks every file again, also those that an earlier pass verified. */
    isThorough?: boolean
  }>
export type TreeReport = Readonly<{
  gen: string
  /** Null for an origin without signatures. */
  identity: Identity | null
  scopes: Readonly<Record<string, { seq: number; count: number; proved: number | null }>>
  requests: number
}>

/** Bounds passes over a busy origin: each needs state.json and the open pages of one instant. */
const PASSES_MAX = 30
const PASS_PAUSE_MS = 1_000
export const STATE = 'state.json'

/**
 * Brings the tree to the origin's state. Throws a MirrorError, with state.json unchanged, when it cannot verify the
 * documents.
 */
export async function writeTree({
  url,
  tree,
  into,
  scopes: requestedScopes,
  signal,
  onProgress = () => {},
  isThorough = false,
  ...parts
}: TreeOptions): Promise<TreeReport> {
  const downloads = openDownloads(parts)
  const origin = openOrigin(url, downloads)
  const options = signal === undefined ? {} : { signal }
  const wait = parts.wait ?? waitFor
  await mkdir(tree, { recursive: true })
  for (let passes = 1; ; passes++) {
    const state = (await origin.state({ ...options, isFresh: passes > 1 })) as FoundState
    const scopes = requestedScopes.length === 0 ? [...state.scopes.keys()] : requestedScopes
    try {
      const stateUrl = origin.stateUrl() as string
      const pass = { url, tree, into, scopes, state, options, onProgress, isThorough, stateUrl, parts }
      return { ...(await writeOnce(pass, downloads)), requests: downloads.requests() }
    } catch (error) {
      const mayPass = error instanceof MirrorError && error.kind === 'unsettled' && passes < PASSES_MAX
      if (!mayPass) throw error
      await wait(PASS_PAUSE_MS, signal)
    }
  }
}

async function writeOnce(pass: TreePass, downloads: Downloads): Promise<Omit<TreeReport, 'requests'>> {
  const { tree, state, scopes, stateUrl } = pass
  const previous = await previousState(pass)
  const verified = pass.isThorough ? null : previous
  const archives = downloadsIntoTree(pass, downloads)
  const mirrored: Record<string, TreeReport['scopes'][string]> = {}
  let identity: Identity | null = null
  const open: TreeFile[] = []
  for (const scope of scopes) {
    const { identity: proved, ...report } = await mirror(pass, { scope, archives })
    mirrored[scope] = report
    identity = proved
    const boundaries = await checkArchives(pass, { scope, archives, previous: verified })
    const path = pathOf(scopeOf(state, scope).subscriptionUrl, stateUrl)
    const subscription = await fetchSubscription(pass, { scope, downloads, boundaries })
    open.push(...(await packedFile(path, subscription)))
    await checkDigest(pass, { scope, archives })
  }
  if (scopes.includes('items')) {
    for (const { path, bytes } of await fetchRss(pass, downloads)) open.push(...(await packedFile(path, bytes)))
  }
  await fetchSnapshot(pass, { archives, downloads, previous: verified })
  if (state.identity !== null) open.push(await fetchKeys(pass, downloads))
  for (const { path, bytes } of open) await replaceFile(join(tree, path), bytes)
  for (const { path, bytes } of await packedFile(STATE, stateBytes(pass))) await replaceFile(join(tree, path), bytes)
  await prune(pass, previous)
  await writeSums(tree, (path) => !pass.isThorough && IMMUTABLE.test(path))
  return { gen: state.gen, identity, scopes: mirrored }
}

/** Files that keep their bytes for ever. */
export const IMMUTABLE = /^(archive|digest|snapshots)\//

/** Downloads that serve immutable files from the tree and store new ones in it. They serve state.json from the pass. */
function downloadsIntoTree({ tree, state, stateUrl }: TreePass, downloads: Downloads): Downloads {
  return {
    requests: downloads.requests,
    async get(address, options = {}): Promise<Answer> {
      if (address === stateUrl) return { kind: 'found', bytes: state.bytes, type: '', validators: {} }
      const path = pathOf(address, stateUrl)
      if (path === '' || path === `feeds/${STATE}`) return { kind: 'absent', status: 404 }
      // The tree needs the pages anyway.
      if (path.includes('?')) return { kind: 'absent', status: 404 }
      if (!IMMUTABLE.test(path)) return await downloads.get(address, options)
      const file = join(tree, path)
      if (!options.isFresh && (await isFile(file)))
        return { kind: 'found', bytes: await readFile(file), type: '', validators: {} }
      const answer = await downloads.get(address, options)
      if (answer.kind === 'found') await replaceFile(file, answer.bytes)
      return answer
    },
  }
}

/** The tree's last state, with addresses as at the origin; null when the tree has none of this protocol. */
async function previousState({ tree, stateUrl }: TreePass): Promise<OriginState | null> {
  try {
    return parseState(await readFile(join(tree, STATE)), stateUrl)
  } catch {
    return null
  }
}

async function mirror(
  { url, into, state, options, onProgress, parts }: TreePass,
  { scope, archives }: { scope: string; archives: Downloads },
): Promise<TreeReport['scopes'][string] & Pick<TreeReport, 'identity'>> {
  const { head } = scopeOf(state, scope)
  using mirror = openMirror({
    ...parts,
    url,
    scope,
    into,
    downloads: archives,
    onProgress: (progress) => onProgress({ ...progress, scope }),
  })
  const { seq, count, proved, identity } = (await mirror.sync(options)).state
  if (seq !== head) throw unsettled({ scope, seq, what: 'head of state.json', expected: seq, found: head })
  return { seq, count, proved: proved?.seq ?? null, identity }
}

/** The origin's state.json, of the scopes of the tree, and their list; where the origin signed it, it keeps all that is signed. */
function stateBytes({ state, scopes }: TreePass): Uint8Array {
  const whole = JSON.parse(Buffer.from(state.bytes).toString()) as StateJson
  const mirror = { scopes }
  if (state.identity !== null) return Buffer.from(JSON.stringify({ ...whole, mirror }))
  const only = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([scope]) => scopes.includes(scope)))
  const digest = whole.digest && { ...whole.digest, scopes: only(whole.digest.scopes) }
  return Buffer.from(JSON.stringify({ ...whole, scopes: only(whole.scopes), digest, mirror }))
}
type StateJson = { scopes: Record<string, unknown>; digest: { scopes: Record<string, unknown> } | null }

/** Removes files that neither the new state.json names nor the previous one, which readers may still follow. */
async function prune({ tree, state, stateUrl, scopes }: TreePass, previous: OriginState | null): Promise<void> {
  const states = previous === null ? [state] : [state, previous]
  const documents = new Set<string>()
  const snapshots: string[] = []
  for (const { snapshot, digest } of states) {
    for (const [, { url }] of digest?.scopes ?? []) documents.add(pathOf(url, stateUrl))
    if (snapshot !== null) snapshots.push(pathOf(new URL('.', snapshot.url).href, stateUrl))
  }
  const isArchive = (path: string) => {
    const page = Number(/(\d+)\.[a-z]+$/.exec(path)?.[1])
    return states.some(({ scopes: entries, pageSize }) =>
      scopes.some((scope) => {
        const entry = entries.get(scope)
        if (entry === undefined || pathOf(entry.archiveUrl(page), stateUrl) !== path) return false
        return page < entry.closed && page >= entry.floor / pageSize
      }),
    )
  }
  await removeFilesExcept(tree, 'archive', isArchive)
  // Earlier versions wrote these.
  await removeFilesExcept(tree, 'deltas', () => false)
  await removeFilesExcept(tree, 'digest', (path) => documents.has(path))
  await removeFilesExcept(tree, 'snapshots', (path) => snapshots.some((folder) => path.startsWith(folder)))
}
