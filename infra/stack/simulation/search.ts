import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { History } from './history.ts'
import { type Shrunk, shrink } from './shrink.ts'
import { historyOf, type Outcome, simulate } from './simulation.ts'
import { virtualTimers } from './timers.ts'
import { openWire } from './wire.ts'

/** The histories from one seed on. */
export type Range = Readonly<{ seed: number; histories: number }>

export type Found = Readonly<{
  histories: number
  /** Seeds of the histories that failed, in ascending order, and the first of them with what it lacks. */
  failed: readonly number[]
  misses: readonly string[]
  totals: Readonly<Record<'calls' | 'faults' | 'records' | 'changes' | 'virtualMs' | 'cpuMs', number>>
}>

const NOTHING = { calls: 0, faults: 0, records: 0, changes: 0, virtualMs: 0, cpuMs: 0 }

/** Runs histories one after the other in this process, over one database. */
export type Search = AsyncDisposable & {
  /** `isFirstOnly`: until one fails. */
  readonly run: (range: Range, isFirstOnly?: boolean) => Promise<Found>
}

export async function openSearch(): Promise<Search> {
  const wire = await openWire()
  const timers = virtualTimers()
  // The start of the process counts as the first history's.
  let usedMs = 0
  return {
    async run({ seed, histories }, isFirstOnly = false) {
      const failed: number[] = []
      let misses: readonly string[] = []
      const totals = { ...NOTHING }
      let done = 0
      for (; done < histories && !(isFirstOnly && failed.length > 0); done++) {
        const outcome = await simulate(wire, historyOf(seed + done))
        addTo(totals, outcome)
        if (outcome.misses.length === 0) continue
        if (failed.length === 0) misses = outcome.misses
        failed.push(seed + done)
      }
      const { user, system } = process.cpuUsage()
      const beforeMs = usedMs
      usedMs = Math.round((user + system) / 1000)
      return { histories: done, failed, misses, totals: { ...totals, cpuMs: usedMs - beforeMs } }
    },
    async [Symbol.asyncDispose]() {
      timers[Symbol.dispose]()
      await wire[Symbol.asyncDispose]()
    },
  }
}

function addTo(totals: Record<keyof typeof NOTHING, number>, outcome: Outcome): void {
  totals.calls += outcome.steps
  totals.faults += outcome.struck.length
  totals.records += outcome.acknowledged
  totals.changes += outcome.changes
  totals.virtualMs += outcome.tookMs
}

/** Histories of one order: half a second, after which a failed seed is known. */
const ORDER_HISTORIES = 10

/**
 * Runs histories in several processes, each as many as it can; `onFound` gets what a few of them found, and the sum so
 * far. Throws when a process ends without an answer.
 */
export async function searchApart(
  { seed, histories }: Range,
  processes: number,
  onFound: (part: Found, sum: Found) => void,
): Promise<Found> {
  let sum: Found = { histories: 0, failed: [], misses: [], totals: NOTHING }
  let next = seed
  const end = seed + histories
  const work = async (child: ChildProcess) => {
    while (next < end) {
      const range = { seed: next, histories: Math.min(ORDER_HISTORIES, end - next) }
      next += range.histories
      const part = await answerOf(child, range)
      sum = sumOf(sum, part)
      onFound(part, sum)
    }
  }
  const children = Array.from({ length: processes }, () => fork(import.meta.filename))
  try {
    await Promise.all(children.map(work))
  } finally {
    for (const child of children) child.kill()
  }
  return sum
}

async function answerOf(child: ChildProcess, range: Range): Promise<Found> {
  const listening = new AbortController()
  const { signal } = listening
  const ended = once(child, 'exit', { signal }).then(([code, killedBy]) => {
    throw new Error(`the process of the histories from seed ${range.seed} on ended with ${code ?? killedBy}`)
  })
  child.send(range)
  try {
    const [found] = await Promise.race([once(child, 'message', { signal }), ended])
    return found as Found
  } finally {
    ended.catch(() => {})
    listening.abort()
  }
}

function sumOf(a: Found, b: Found): Found {
  const [first, second] =
    (b.failed[0] ?? Number.POSITIVE_INFINITY) < (a.failed[0] ?? Number.POSITIVE_INFINITY) ? [b, a] : [a, b]
  return {
    histories: a.histories + b.histories,
    failed: [...a.failed, ...b.failed].sort((one, other) => one - other),
    misses: first.misses.length > 0 ? first.misses : second.misses,
    totals: Object.fromEntries(
      Object.entries(a.totals).map(([name, total]) => [name, total + b.totals[name as keyof typeof NOTHING]]),
    ) as Found['totals'],
  }
}

/** Runs one seed again and shrinks it; null when it does not fail. */
export async function shrunkOf(seed: number): Promise<Shrunk | null> {
  await using wire = await openWire()
  using _timers = virtualTimers()
  const history = historyOf(seed)
  const { misses, struck } = await simulate(wire, history)
  if (misses.length === 0) return null
  const listed: History = { ...history, faults: struck }
  return await shrink(listed, misses, async (history) => (await simulate(wire, history)).misses)
}

/** Answers each range with what it found, until the parent leaves. */
async function answerParent(): Promise<void> {
  const opening = openSearch()
  process.on('message', async (range: Range) => {
    const { run } = await opening
    process.send?.(await run(range))
  })
  await once(process, 'disconnect')
}

if (import.meta.main) await answerParent()
