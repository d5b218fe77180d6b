import { setTimeout as delay } from 'node:timers/promises'
import { openStageBar, type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Identity } from '@catalog/mirror/identity.ts'
import { type Mirror, openMirror, type SyncReport } from '@catalog/mirror/mirror.ts'
import { MirrorError } from '@catalog/mirror/mirror-error.ts'
import { type TreeReport, writeTree } from '@catalog/mirror/tree/tree.ts'
import { retryForever, runConcurrently } from '@catalog/runtime/run.ts'

/** Flags of `catalog mirror`, which copies the feeds of an origin into SQLite and plain files. */
export type MirrorFlags = Readonly<{
  /** Folder of the copies, one file per scope. */
  into: string
  scope?: readonly string[]
  follow?: true
  /** Ids of keys, of which the origin must prove to have one. */
  key?: readonly string[]
  /** A later generation to take although it has fewer items. */
  acceptGeneration?: string
  /** Seconds between two polls; absent: rarer while nothing changes. */
  every?: string
  /** Folder of the feed tree. */
  static?: string
}>

const EVERY_SECONDS_MIN = 1
/** Others mirror a tree: it follows at a steady pace. */
const TREE_EVERY_MS = 60_000
const EVERY_SECONDS_MAX = 86_400
const SCOPE_DEFAULT = 'items'

/** Resolves when all scopes are in sync; with --follow when the signal aborts. The answer reports the first pass. */
export async function mirrorCatalog(
  terminal: Terminal,
  { url, flags, signal }: { url: string; flags: MirrorFlags; signal: AbortSignal },
): Promise<void> {
  const everyMs = flags.every === undefined ? null : intervalMs(flags.every)
  for (const key of flags.key ?? []) requireKeyId(key)
  await (flags.static === undefined ? mirrorScopes : mirrorTree)(terminal, { url, flags, everyMs, signal })
  if (!flags.follow && !terminal.json) terminal.next(`catalog mirror ${url} --into ${flags.into} --follow`)
}

type MirrorOptions = Readonly<{ url: string; flags: MirrorFlags; everyMs: number | null; signal: AbortSignal }>

async function mirrorScopes(terminal: Terminal, { url, flags, everyMs, signal }: MirrorOptions): Promise<void> {
  const scopes = flags.scope ?? [SCOPE_DEFAULT]
  const bars = openStepBar(terminal)
  using stack = new DisposableStack()
  const mirrors: Mirror[] = []
  const synced: SyncReport[] = []
  for (const scope of scopes) {
    const onProgress = (progress: { step: string; done: number; total: number }) => bars.to({ ...progress, scope })
    const mirror = stack.use(openMirror({ url, scope, into: flags.into, onProgress, ...trustOf(flags) }))
    mirrors.push(mirror)
    try {
      synced.push(await mirror.sync({ signal }))
    } finally {
      bars.done()
    }
  }
  terminal.answer({ into: flags.into, scopes: Object.fromEntries(synced.map(syncedJson)) }, () =>
    [`In sync with ${url}`, identityLine(synced[0]?.state.identity ?? null), '', table(synced.map(syncedLine))].join(
      '\n',
    ),
  )
  if (!flags.follow) return
  await runConcurrently(signal, (signal) =>
    mirrors.map((mirror) => {
      const onSync = (pass: SyncReport) => {
        if (pass.applied > 0) terminal.note(`${pass.state.scope}: ${pass.applied} changes, seq ${pass.state.seq}`)
      }
      return mirror.follow({ everyMs, signal, onSync, onRetry: (error) => noteRetry(terminal, error) })
    }),
  )
}

async function mirrorTree(terminal: Terminal, { url, flags, everyMs, signal }: MirrorOptions): Promise<void> {
  const bars = openStepBar(terminal)
  let isFirst = true
  const pass = async () => {
    const { into, static: tree = '', scope: scopes = [] } = flags
    const onProgress = bars.to
    try {
      return await writeTree({ url, tree, into, scopes, signal, onProgress, ...trustOf(flags) })
    } finally {
      bars.done()
    }
  }
  const answerOnce = (report: TreeReport) => {
    if (isFirst) {
      const { identity, ...rest } = report
      terminal.answer({ static: flags.static, ...rest, ...identityJson(identity) }, () =>
        [
          `${flags.static} is the feeds of ${url}, gen ${report.gen}`,
          identityLine(identity),
          '',
          table(treeLines(report)),
        ].join('\n'),
      )
    }
    isFirst = false
  }
  if (!flags.follow) return answerOnce(await pass())
  await retryForever(
    async () => {
      while (!signal.aborted) {
        answerOnce(await pass())
        await delay(everyMs ?? TREE_EVERY_MS, undefined, { signal }).catch(() => {})
      }
    },
    {
      signal,
      isFatal: (error) => !(error instanceof MirrorError) || error.kind === 'contradiction',
      onRetry: (error) => noteRetry(terminal, error),
    },
  )
}

function noteRetry(terminal: Terminal, error: unknown): void {
  terminal.note(`${(error as Error).message}; retrying`)
}

type Step = Readonly<{ scope: string; step: string; done: number; total: number }>
/** One bar at a time, for the present step of a scope. */
export function openStepBar(terminal: Terminal) {
  const bar = openStageBar(terminal)
  return { ...bar, to: ({ scope, step, ...at }: Step) => bar.to({ stage: `${scope} ${step}`, ...at }) }
}

const syncedJson = ({ state, applied, restart: began, repaired, requests }: SyncReport) => {
  const { scope, gen, seq, chain, count, proved, identity } = state
  const pass = { applied, began, repaired_buckets: repaired, requests }
  return [scope, { gen, seq, chain, count, proved, ...pass, ...identityJson(identity) }] as const
}

/** Whose copy it is; null without signatures. */
const identityJson = (identity: Identity | null) => ({
  catalog: identity?.catalog ?? null,
  signed_by: identity?.signedBy ?? null,
  valid_until: identity?.validUntil ?? null,
})

const identityLine = (identity: Identity | null) =>
  identity === null
    ? 'The origin signs nothing: the copy is proved to be what it says, not whose it is'
    : `Catalog ${identity.catalog}, signed by key ${identity.signedBy.join(' and ')}, valid until ${identity.validUntil}`

export const trustOf = ({ key: keys = [], acceptGeneration }: MirrorFlags) => ({ keys, acceptGeneration })

function requireKeyId(key: string): void {
  if (!/^[0-9a-f]{32}$/.test(key)) throw new Error(`--key '${key}': expected an id of 32 hex digits: catalog feed-keys`)
}

const syncedLine = ({ state, applied, restart, requests }: SyncReport) => ({
  scope: state.scope,
  seq: state.seq,
  items: state.count,
  began: restart ?? '-',
  applied,
  requests,
  proved: state.proved === null ? 'at the next mark' : `at seq ${state.proved.seq}`,
})

const treeLines = ({ scopes }: TreeReport) =>
  Object.entries(scopes).map(([scope, { seq, count, proved }]) => ({
    scope,
    seq,
    items: count,
    proved: proved === null ? 'at the next mark' : `at seq ${proved}`,
  }))

function intervalMs(every: string): number {
  const seconds = Number(every)
  if (seconds >= EVERY_SECONDS_MIN && seconds <= EVERY_SECONDS_MAX) return seconds * 1000
  throw new Error(`--every '${every}': expected ${EVERY_SECONDS_MIN} to ${EVERY_SECONDS_MAX} seconds`)
}
