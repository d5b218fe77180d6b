import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { History } from './history.ts'
import { type Shrunk, shrink } from './shrink.ts'
import { historyOf, type Outcome, simulate } from './simulation.ts'
import { virtualTimers } from './timers.ts'
import { openWire } from './wire.ts'

/** The histories from one seed on. */
export type Range = Readonly<{ seed: number; histories: number }>

export type Found = Readonly<{
  histories: number
  /** Seeds of the histories that failed, and the first of them with what it lacks. */
  failed: readonly number[]
  misses: readonly string[]
  totals: Readonly<Record<'calls' | 'faults' | 'records' | 'changes' | 'virtualMs' | 'cpuMs', number>>
}>

const NOTHING = { calls: 0, faults: 0, records: 0, changes: 0, virtualMs: 0, cpuMs: 0 }

/** Runs histories one after the other in this process; with `isFirstOnly` until one fails. */
export async function searchHere({ seed, histories }: Range, isFirstOnly: boolean): Promise<Found> {
  await using wire = await openWire()
  using _timers = virtualTimers()
  const failed: number[] = []
  let misses: readonly string[] = []
  const totals = { ...NOTHING }
  const began = process.cpuUsage()
  let done = 0
  for (; done < histories && !(isFirstOnly && failed.length > 0); done++) {
    const outcome = await simulate(wire, historyOf(seed + done))
    addTo(totals, outcome)
    if (outcome.misses.length === 0) continue
    if (failed.length === 0) misses = outcome.misses
    failed.push(seed + done)
  }
  const { user, system } = process.cpuUsage(began)
  return { histories: done, failed, misses, totals: { ...totals, cpuMs: Math.round((user + system) / 1000) } }
}

function addTo(totals: Record<keyof typeof NOTHING, number>, outcome: Outcome): void {
  totals.calls += outcome.steps
  totals.faults += outcome.struck.length
  totals.records += outcome.acknowledged
  totals.changes += outcome.changes
  totals.virtualMs += outcome.tookMs
}

const ENTRY = fileURLToPath(new URL('../simulate.ts', import.meta.url))

/** Runs histories in several processes; throws when one of them ends without an answer. */
export async function searchApart({ seed, histories }: Range, processes: number): Promise<Found> {
  const share = Math.ceil(histories / processes)
  const parts = Array.from({ length: processes }, (_, i) => ({
    seed: seed + i * share,
    histories: Math.max(0, Math.min(share, histories - i * share)),
  }))
  const found = await Promise.all(parts.map(searchInChild))
  return found.reduce((a, b) => ({
    histories: a.histories + b.histories,
    failed: [...a.failed, ...b.failed],
    misses: a.misses.length > 0 ? a.misses : b.misses,
    totals: Object.fromEntries(
      Object.entries(a.totals).map(([name, sum]) => [name, sum + b.totals[name as keyof typeof NOTHING]]),
    ) as Found['totals'],
  }))
}

async function searchInChild({ seed, histories }: Range): Promise<Found> {
  const given = ['--worker', '--seed', String(seed), '--histories', String(histories)]
  const child = spawn(process.execPath, [ENTRY, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [answer] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (answer === '') throw new Error(`the histories from seed ${seed} on ended without an answer`)
  return JSON.parse(answer) as Found
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
