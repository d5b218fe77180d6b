import { randomOf, shuffled } from '@catalog/sample-files/seeded-random.ts'
import type { Injection, Need } from '@catalog/stack/faults/injections/injection.ts'

/** Faults at once, after a pause. Each has a seed of its own. */
export type Step = Readonly<{ pauseMs: number; faults: readonly Readonly<{ injection: Injection; seed: number }>[] }>
export type Plan = Readonly<{ seed: number; needs: ReadonlySet<Need>; steps: readonly Step[]; seconds: number }>

/** Between two steps. */
const PAUSE_MS = { min: 1_000, max: 5_000 }
/** Of all steps, this share has two faults at once. */
const PAIRS = 0.3
/** From a step's end to the next one: what recovery takes beside the pause. */
const RECOVERY_SECONDS = 8

/**
 * The faults of a seed in their order: each once, and without `minutes` no more; with it, as many steps as usually fit, at least
 * one. The same arguments give the same plan on every machine.
 */
export function planOf({ seed, injections, minutes }: PlanOptions): Plan {
  const random = randomOf(seed)
  const steps: Step[] = []
  let seconds = 0
  let left: Injection[] = []
  const isFull = () =>
    minutes === undefined ? steps.length > 0 && left.length === 0 : steps.length > 0 && seconds >= minutes * 60
  while (!isFull()) {
    if (left.length === 0) left = shuffled(injections, random)
    const first = left.shift() as Injection
    const second = random() < PAIRS ? left.find((other) => canMeet(first, other)) : undefined
    left = left.filter((other) => other !== second)
    const faults = [first, ...(second ? [second] : [])].map((injection) => ({
      injection,
      seed: Math.floor(random() * 2 ** 31),
    }))
    const pauseMs = Math.round(PAUSE_MS.min + random() * (PAUSE_MS.max - PAUSE_MS.min))
    steps.push({ pauseMs, faults })
    seconds += Math.max(...faults.map(({ injection }) => injection.seconds)) + pauseMs / 1000 + RECOVERY_SECONDS
  }
  const needs = new Set(steps.flatMap(({ faults }) => faults.flatMap(({ injection }) => injection.needs)))
  return { seed, needs, steps, seconds: Math.round(seconds) }
}

type PlanOptions = Readonly<{
  seed: number
  injections: readonly Injection[]
  minutes: number | undefined
}>

/** Two faults of one kind would disturb each other's healing. */
const canMeet = (a: Injection, b: Injection) =>
  a.kind !== b.kind && !(TAKES_STORE.has(a.kind) && TAKES_STORE.has(b.kind))
const TAKES_STORE: ReadonlySet<Injection['kind']> = new Set(['database', 'storage', 'clock'])

export const planText = ({ seed, steps, seconds }: Plan): string =>
  [
    `seed ${seed}: ${steps.length} steps, some ${seconds} s`,
    ...steps.map(({ faults, pauseMs }, i) => {
      const names = faults.map(({ injection, seed: own }) => `${injection.name} (${own})`)
      return `  ${i + 1}. after ${pauseMs} ms: ${names.join(' + ')}`
    }),
  ].join('\n')
