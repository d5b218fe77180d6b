import { setTimeout as delay } from 'node:timers/promises'
import type { System } from '@catalog/stack/faults/system/system.ts'
import type { UntilOptions } from '@catalog/stack/servers/machine.ts'

/** What a run must have for a fault: servers of its own that it may stop, three brokers, small disks, clocks to set. */
export type Need = 'database' | 'broker' | 'brokers' | 'index' | 'disks' | 'clocks'

/** One fault: what it does, and what must hold meanwhile and afterwards. */
export type Injection = Readonly<{
  name: string
  kind: 'process' | 'database' | 'network' | 'log' | 'index' | 'storage' | 'clock' | 'input' | 'operation'
  how: string
  invariant: string
  needs: readonly Need[]
  /** Usual length, from which a plan knows how many fit. */
  seconds: number
  /** From the end of its cause until a later observation is applied, at most. */
  boundSeconds: number
  /** Waits for the fault's moment, calls `injected`, and returns when the cause is gone. Returns a note for the report. */
  inject: (system: System, context: InjectionContext) => Promise<string>
}>

/** What the faults of one subject do, by their names. */
export type Injects = Readonly<Record<string, Injection['inject']>>

export type InjectionContext = Readonly<{
  /** Of this fault alone, so that a plan replays whatever else happens. */
  random: () => number
  injected: () => void
}>

/** From a minute's end to the next run, with what may delay it. */
export const PATIENCE: UntilOptions = { timeoutMs: 150_000, pollMs: 20 }

export function oneOf<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T
}

/** Milliseconds between two bounds in seconds. */
export const between = (from: number, to: number, random: () => number) =>
  Math.round((from + random() * (to - from)) * 1000)

const ATTEMPTS = 100
const PAUSE_MS = 100

/** Repeats what a fault beside it may disturb, for some ten seconds. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0) throw error
      await delay(PAUSE_MS)
    }
  }
}
