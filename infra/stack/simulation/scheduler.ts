import { byClock, type Clock, untilQuiet } from './timers.ts'

/** The part of the outside world that a call of a process reaches. */
export type CallKind = 'statement' | 'commit' | 'append' | 'poll' | 'request'

/** What happens to one call, instead of nothing. `isAfter`: the call took effect, and its answer is lost. */
export type Fault = Readonly<
  | { kind: 'crash' | 'reset'; isAfter: boolean }
  /** The process stops for so long, as by SIGSTOP. */
  | { kind: 'freeze'; isAfter: boolean; ms: number }
  /** The clock of the machine jumps by so much. */
  | { kind: 'clock'; ms: number }
  /** The log stores the records twice, a part of them, or delivers older ones again. */
  | { kind: 'twice' | 'part' | 'again' }
  /** The server of the store restarts, and all its connections end. */
  | { kind: 'restart' }
>

/** Decides on a fault for the nth call of a role, by whatever incarnation of its process. */
export type FaultPlan = (call: { role: string; nth: number; kind: CallKind }) => Fault | undefined

/** Answered by a call that cannot go on yet; the scheduler tries it again. */
export const BLOCKED = Symbol('blocked')

export type Call<T> = Readonly<{
  kind: CallKind
  label: string
  /** Takes effect at once, or answers BLOCKED and has none. Throws what the caller gets. */
  execute: (fault: Fault | undefined) => T | typeof BLOCKED
  /** What a caller gets that waited so long in vain. */
  timeout?: Readonly<{ ms: number; error: () => Error }>
}>

/** Lost connections, as sockets report them. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code = 'ECONNRESET'
}

type Task = {
  readonly process: SimulatedProcess
  readonly call: Call<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Undefined until the fault was drawn; null: none. */
  fault: Fault | null | undefined
  blockedSinceMs: number | null
  /** Tried in vain since the last effect of anybody. */
  isBlocked: boolean
}
type Timer = { atMs: number; process: SimulatedProcess | null; callback: () => void; everyMs: number | null }

/** One incarnation of a process: what it awaits is at an end when it dies. */
export class SimulatedProcess {
  readonly role: string
  isDead = false
  frozenUntilMs = 0
  /** How far its clock is off. */
  skewMs = 0
  private readonly scheduler: Scheduler
  constructor(role: string, scheduler: Scheduler) {
    this.role = role
    this.scheduler = scheduler
  }

  private paceNow = 1
  private paceUntil = 0

  call<T>(call: Call<T>): Promise<T> {
    return this.scheduler.call(this, call)
  }

  /** How much faster than others it gets its turns. */
  pace(step: number): number {
    if (step < this.paceUntil) return this.paceNow
    this.paceUntil = step + 1 + Math.floor(this.scheduler.options.random() * PACE_STEPS_MAX)
    this.paceNow = this.scheduler.options.random() < SLOW_CHANCE ? SLOW_PACE : 1
    return this.paceNow
  }

  isFrozen(): boolean {
    return this.frozenUntilMs > this.scheduler.nowMs
  }
}

export type SchedulerOptions = Readonly<{
  random: () => number
  faults: FaultPlan
  /** Told when a process dies or freezes, before anything else goes on. */
  onStop: (process: SimulatedProcess) => void
  onRestart: () => void
  trace?: (line: string) => void
}>

/** A process keeps its pace for so many steps of all, at most. */
const PACE_STEPS_MAX = 60
const [SLOW_CHANCE, SLOW_PACE] = [0.3, 0.03]
/** Virtual latency of a call, at most. */
const LATENCY_MS_MAX = 4
/** Timers are late on a busy machine, which also keeps polls few. */
const TIMER_LATE_MS_MAX = 6_000

/**
 * Interleaves processes at every call that leaves them. Law: of two runs with one seed, every call, its order and its
 * instant are the same.
 */
export class Scheduler {
  nowMs = 0
  steps = 0
  readonly options: SchedulerOptions
  private tasks: Task[] = []
  private readonly timers = new Set<Timer>()
  private readonly counts = new Map<string, number>()

  constructor(options: SchedulerOptions) {
    this.options = options
  }

  /** Begins a process. `main` may never settle; `onEnd` is called when it does. */
  spawn(role: string, main: (process: SimulatedProcess) => Promise<void>, onEnd: (error: unknown) => void) {
    const process = new SimulatedProcess(role, this)
    const clock: Clock = {
      now: () => this.nowMs,
      after: (ms, callback, { repeats }) => this.timer(process, { ms, callback, repeats }),
    }
    byClock(clock, () => main(process)).then(
      () => onEnd(undefined),
      (error: unknown) => onEnd(error ?? new Error('nothing was thrown')),
    )
    return process
  }

  /** Calls back after `ms`, for the harness itself. */
  after(ms: number, callback: () => void): void {
    this.timer(null, { ms, callback, repeats: false })
  }

  call<T>(process: SimulatedProcess, call: Call<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (process.isDead) return
      this.tasks.push({
        process,
        call,
        resolve: resolve as (value: unknown) => void,
        reject,
        fault: undefined,
        blockedSinceMs: null,
        isBlocked: false,
      })
    })
  }

  /** Goes on until nobody can without time passing, and `isDone`; whether that came within `stepsMax` steps. */
  async run(isDone: () => boolean, stepsMax: number): Promise<boolean> {
    for (let left = stepsMax; left > 0; left--) {
      await untilQuiet()
      if (this.step()) continue
      if (isDone()) return true
      if (!this.pass()) return false
    }
    return false
  }

  kill(process: SimulatedProcess, why: string): void {
    if (process.isDead) return
    this.trace(process, why)
    process.isDead = true
    this.tasks = this.tasks.filter((task) => task.process !== process)
    for (const timer of this.timers) if (timer.process === process) this.timers.delete(timer)
    this.options.onStop(process)
    this.effect('anywhere')
  }

  /** Something changed in the store, or anywhere: whoever was blocked by it may try again. */
  effect(where: 'store' | 'log' | 'anywhere'): void {
    for (const task of this.tasks) if (where === 'anywhere' || where === placeOf(task.call)) task.isBlocked = false
  }

  private step(): boolean {
    this.steps++
    if (this.fireDue()) return true
    const runnable = this.tasks.filter(({ process, isBlocked }) => !isBlocked && !process.isFrozen())
    if (runnable.length === 0) return false
    this.nowMs += Math.floor(this.options.random() * LATENCY_MS_MAX)
    this.attempt(this.chosen(runnable))
    return true
  }

  /** Draws by the pace of each process, which changes: so one may stand in a transaction while others do much. */
  private chosen(runnable: readonly Task[]): Task {
    const paces = runnable.map(({ process }) => process.pace(this.steps))
    let left = this.options.random() * paces.reduce((sum, pace) => sum + pace, 0)
    for (const [at, task] of runnable.entries()) {
      left -= paces[at] as number
      if (left < 0) return task
    }
    return runnable.at(-1) as Task
  }

  private attempt(task: Task): void {
    if (task.fault === undefined) task.fault = this.draw(task) ?? null
    const fault = task.fault
    if (fault !== null && 'isAfter' in fault && !fault.isAfter && this.strike(task, fault)) return
    if (fault?.kind === 'clock') task.process.skewMs += fault.ms
    if (fault?.kind === 'restart') this.options.onRestart()
    let outcome: { value: unknown } | { error: unknown }
    try {
      const value = task.call.execute(fault ?? undefined)
      if (value === BLOCKED) {
        task.blockedSinceMs ??= this.nowMs
        task.isBlocked = true
        return
      }
      outcome = { value }
    } catch (error) {
      outcome = { error }
    }
    if (task.call.kind !== 'poll' && task.call.kind !== 'request') this.effect(placeOf(task.call))
    this.trace(task.process, task.call.label, fault ?? undefined)
    if (fault !== null && 'isAfter' in fault && fault.isAfter && this.strike(task, fault, outcome)) return
    this.settle(task, outcome)
  }

  private settle(task: Task, outcome: { value: unknown } | { error: unknown }): void {
    this.tasks.splice(this.tasks.indexOf(task), 1)
    if ('error' in outcome) task.reject(outcome.error)
    else task.resolve(outcome.value)
  }

  /** Whether the fault ends the call, or keeps its answer. */
  private strike(task: Task, fault: Fault & { isAfter: boolean }, outcome?: { value: unknown } | { error: unknown }) {
    const { process, call } = task
    if (fault.kind === 'crash') {
      this.kill(process, `${call.label}: crash ${fault.isAfter ? 'after' : 'before'}`)
      return true
    }
    if (fault.kind === 'reset') {
      if (!fault.isAfter) this.trace(process, call.label, fault)
      this.settle(task, { error: new ConnectionLost(`connection lost at ${call.label}`) })
      return true
    }
    if (!fault.isAfter) this.trace(process, call.label, fault)
    task.fault = null
    process.frozenUntilMs = this.nowMs + (fault as { ms: number }).ms
    this.options.onStop(process)
    this.effect('anywhere')
    if (outcome === undefined) return true
    // The answer waits in the socket of the frozen process.
    this.tasks.splice(this.tasks.indexOf(task), 1)
    this.tasks.push({ ...task, call: { ...call, label: `${call.label}: answer`, execute: () => answerOf(outcome) } })
    return true
  }

  private draw({ process: { role }, call: { kind } }: Task): Fault | undefined {
    const nth = (this.counts.get(role) ?? 0) + 1
    this.counts.set(role, nth)
    return this.options.faults({ role, nth, kind })
  }

  /** Lets time pass until somebody can go on; false when nobody ever will. */
  private pass(): boolean {
    let next = Number.POSITIVE_INFINITY
    for (const { atMs, process } of this.timers) next = Math.min(next, Math.max(atMs, process?.frozenUntilMs ?? 0))
    for (const { process, call, blockedSinceMs } of this.tasks) {
      if (process.isFrozen()) next = Math.min(next, process.frozenUntilMs)
      else if (blockedSinceMs !== null && call.timeout) next = Math.min(next, blockedSinceMs + call.timeout.ms)
    }
    if (next === Number.POSITIVE_INFINITY) return false
    this.nowMs = Math.max(this.nowMs, next)
    for (const task of [...this.tasks]) {
      const { timeout } = task.call
      if (task.blockedSinceMs === null || timeout === undefined || task.process.isFrozen()) continue
      if (task.blockedSinceMs + timeout.ms > this.nowMs) continue
      this.trace(task.process, `${task.call.label}: timeout`)
      this.settle(task, { error: timeout.error() })
    }
    this.effect('anywhere')
    return true
  }

  private fireDue(): boolean {
    const due = [...this.timers].filter((timer) => this.isDue(timer))
    for (const timer of due) this.fire(timer)
    return due.length > 0
  }

  private isDue({ atMs, process }: Timer): boolean {
    return atMs <= this.nowMs && !process?.isFrozen()
  }

  private fire(timer: Timer): void {
    if (!this.timers.has(timer)) return
    if (timer.everyMs === null) this.timers.delete(timer)
    else timer.atMs = this.nowMs + timer.everyMs
    timer.callback()
  }

  private timer(process: SimulatedProcess | null, given: { ms: number; callback: () => void; repeats: boolean }) {
    const { ms, callback, repeats } = given
    const late = process === null ? 0 : Math.floor(this.options.random() * TIMER_LATE_MS_MAX)
    const timer: Timer = { atMs: this.nowMs + ms + late, process, callback, everyMs: repeats ? Math.max(1, ms) : null }
    if (process?.isDead !== true) this.timers.add(timer)
    return () => void this.timers.delete(timer)
  }

  private trace(process: SimulatedProcess, label: string, fault?: Fault): void {
    if (this.options.trace === undefined) return
    const said = fault === undefined ? '' : `  <-- ${JSON.stringify(fault)}`
    this.options.trace(`${(this.nowMs / 1000).toFixed(3).padStart(9)} s  ${process.role.padEnd(12)} ${label}${said}`)
  }
}

const placeOf = ({ kind }: Call<unknown>) => (kind === 'statement' || kind === 'commit' ? 'store' : 'log')

function answerOf(outcome: { value: unknown } | { error: unknown }): unknown {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}
