import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROTOCOL } from '@catalog/core/changes/protocol.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { type ChangesSource, changesAfter } from '@catalog/mirror/changes.ts'
import { type Delta, type DeltaList, parseDeltas } from '@catalog/mirror/deltas.ts'
import type { Downloads } from '@catalog/mirror/downloads.ts'
import type { CheckedChange, Position } from '@catalog/mirror/feed-document.ts'
import { lineOf } from '@catalog/mirror/feed-lines.ts'
import { replaceFile } from './durable-files.ts'
import { packedFile, type TreeFile } from './gzip-file.ts'
import { bytesOf, scopeOf, type TreePass } from './tree-documents.ts'

/** Writes the deltas of a tree: the changes that it received in each hour, and each day. */

/** Two days of hours: who comes later reads days. */
const HOURS_KEPT = 48
/** Who comes later still reads pages, or begins at the snapshot. */
const DAYS_KEPT = 60
/** A tree that lacks more changes begins its deltas anew: pages serve so many better. */
const DELTA_CHANGES_MAX = 50_000

/** Path of the list of a scope in the tree, with its place for the scope. */
export const DELTAS = 'deltas/{scope}.json'
const deltaListPath = (scope: string): string => DELTAS.replace('{scope}', scope)

/** Writes the new deltas of a scope and answers its list, which the caller replaces together with state.json. */
export async function writeDeltas(
  pass: TreePass,
  {
    scope,
    archives,
    subscription,
    now,
  }: {
    scope: string
    archives: Downloads
    /** The verified subscription of this pass. */
    subscription: Uint8Array
    now: () => Date
  },
): Promise<TreeFile[]> {
  const { tree, state } = pass
  const entry = scopeOf(state, scope)
  const previous = await previousDeltas(tree, scope)
  const continues =
    previous?.gen === state.gen &&
    previous.seq >= entry.floor &&
    previous.seq <= entry.head &&
    entry.head - previous.seq <= DELTA_CHANGES_MAX
  if (!continues) return listFiles({ gen: state.gen, seq: entry.head, chain: entry.chain, deltas: [] }, scope)
  const read = async (url: string) =>
    url === entry.subscriptionUrl ? subscription : await bytesOf(archives, url, pass.options)
  const pages = {
    scope,
    origin: { ...state, deltas: null },
    read,
    readSince: async () => ({ kind: 'unsupported' }) as const,
  }
  const changes = await changesBetween(pages, { gen: state.gen, seq: previous.seq, chain: previous.chain }, entry.head)
  const hour = now().toISOString().slice(0, 13)
  let { deltas } = previous
  if (changes.length > 0) deltas = await withChanges(pass, { scope, deltas, changes, hour, after: previous.seq })
  deltas = await withDays(pass, { scope, deltas, today: hour.slice(0, 10) })
  const { seq, chain } = changes.at(-1) ?? previous
  return listFiles({ gen: state.gen, seq, chain, deltas: kept(deltas) }, scope)
}

/** The paths of all lists and the deltas that they name, with their packed forms. */
export async function deltaFiles(tree: string, scopes: readonly string[]): Promise<ReadonlySet<string>> {
  const paths: string[] = []
  for (const scope of scopes) {
    paths.push(deltaListPath(scope))
    for (const { file } of (await previousDeltas(tree, scope))?.deltas ?? []) paths.push(file)
  }
  return new Set(paths.flatMap((path) => [path, `${path}.gz`]))
}

/** Null when the tree has none that can be read. */
async function previousDeltas(tree: string, scope: string): Promise<DeltaList | null> {
  try {
    return parseDeltas(await readFile(join(tree, deltaListPath(scope))), deltaListPath(scope))
  } catch {
    return null
  }
}

async function changesBetween(pages: ChangesSource, from: Position, head: number): Promise<CheckedChange[]> {
  const entry = scopeOf(pages.origin, pages.scope)
  const changes: CheckedChange[] = []
  for (let at = from; at.seq < head; ) {
    const part = await changesAfter(pages, entry, at)
    changes.push(...part)
    const { seq, chain } = part.at(-1) as CheckedChange
    at = { gen: at.gen, seq, chain }
  }
  return changes
}

/** Adds changes to the delta of the present hour. */
async function withChanges(
  pass: TreePass,
  {
    scope,
    deltas,
    changes,
    hour,
    after,
  }: {
    scope: string
    deltas: readonly Delta[]
    changes: readonly CheckedChange[]
    hour: string
    after: number
  },
): Promise<readonly Delta[]> {
  const begin = `${hour}:00:00Z`
  const open = deltas.find((delta) => delta.period === 'hour' && delta.begin === begin && delta.seq === after)
  const earlier = open === undefined ? Buffer.alloc(0) : await readFile(join(pass.tree, open.file))
  const bytes = Buffer.concat([earlier, Buffer.from(changes.map((change) => `${lineOf(change)}\n`).join(''))])
  const { seq, chain } = changes.at(-1) as CheckedChange
  const about = { period: 'hour' as const, begin, after: open?.after ?? after, seq, chain }
  return [...deltas.filter((delta) => delta !== open), await writeDelta(pass, { scope, about, bytes })]
}

/** Adds the delta of each past day that has hours and none of its own. */
async function withDays(
  pass: TreePass,
  { scope, deltas, today }: { scope: string; deltas: readonly Delta[]; today: string },
): Promise<readonly Delta[]> {
  const added: Delta[] = []
  const hours = deltas.filter(({ period }) => period === 'hour')
  for (const day of new Set(hours.map(({ begin }) => begin.slice(0, 10)))) {
    const begin = `${day}T00:00:00Z`
    if (day >= today || deltas.some((delta) => delta.period === 'day' && delta.begin === begin)) continue
    const parts = hours.filter((hour) => hour.begin.startsWith(day))
    const [first, last] = [parts[0] as Delta, parts.at(-1) as Delta]
    const bytes = Buffer.concat(await Promise.all(parts.map(({ file }) => readFile(join(pass.tree, file)))))
    const about = { period: 'day' as const, begin, after: first.after, seq: last.seq, chain: last.chain }
    added.push(await writeDelta(pass, { scope, about, bytes }))
  }
  return [...deltas, ...added]
}

/** The newest of each period. */
function kept(deltas: readonly Delta[]): readonly Delta[] {
  const newest = (period: Delta['period'], count: number) =>
    deltas.filter((delta) => delta.period === period).slice(-count)
  return [...newest('day', DAYS_KEPT), ...newest('hour', HOURS_KEPT)]
}

async function writeDelta(
  { tree, state }: TreePass,
  { scope, about, bytes }: { scope: string; about: Omit<Delta, 'file' | 'bytes' | 'sha'>; bytes: Buffer },
): Promise<Delta> {
  const { period, begin, after, seq } = about
  const name = `${period}-${begin.slice(0, period === 'hour' ? 13 : 10)}-${after}-${seq}.ndjson`
  const file = `deltas/${state.gen}/${scope}/${name}`
  for (const { path, bytes: written } of await packedFile(file, bytes)) await replaceFile(join(tree, path), written)
  return { ...about, file, bytes: bytes.length, sha: sha256Hex(bytes) }
}

function listFiles({ gen, seq, chain, deltas }: DeltaList, scope: string): Promise<TreeFile[]> {
  const listed = deltas.map(({ sha, ...delta }) => ({ ...delta, sha256: sha }))
  const text = JSON.stringify({ protocol: PROTOCOL, gen, scope, seq, chain, deltas: listed })
  return packedFile(deltaListPath(scope), Buffer.from(text))
}
