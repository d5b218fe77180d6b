import { DatabaseSync } from 'node:sqlite'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { readTables } from '@catalog/stack/model/tables.ts'
import { type Evidence, missesOf } from '@catalog/stack/model/verdict.ts'
import {
  batchOf,
  type Chances,
  type Command,
  drawHistory,
  type History,
  nightMs,
  type PlannedFault,
} from './history.ts'
import { SimulatedLog } from './log.ts'
import { mirroredItems, ROLES, type World } from './processes.ts'
import { type CallKind, type Fault, Scheduler, type SimulatedProcess } from './scheduler.ts'
import { GENERATION, POSITIONS, SimulatedServer } from './store.ts'
import { untilQuiet } from './timers.ts'
import type { Wire } from './wire.ts'

export type Outcome = Readonly<{
  /** What was lost, doubled, wrong or never done, in sentences; empty when all laws held. */
  misses: readonly string[]
  /** The faults that came, as a list that gives them again. */
  struck: readonly PlannedFault[]
  steps: number
  /** Virtual milliseconds. */
  tookMs: number
  acknowledged: number
  changes: number
}>

/** Calls of a history, at most: a process that never comes to an end is a fault. */
const STEPS_MAX = 30_000
/** From the last command on, faults come for so long. */
const UNREST_MS = 30_000
/** Then everything must be done within this time: the longest freeze, the longest retry, and some. */
const HEALED_MS_MAX = 600_000
const RESTART_MS = { min: 500, span: 5_000 }

/** Runs a history to its end, and says what did not hold. */
export async function simulate(wire: Wire, history: History, trace?: (line: string) => void): Promise<Outcome> {
  return await new Simulation(wire, history, trace).run()
}

class Simulation {
  private readonly history: History
  private readonly scheduler: Scheduler
  private readonly server: SimulatedServer
  private readonly log: SimulatedLog
  private readonly world: World
  private readonly random: () => number
  private readonly struck: PlannedFault[] = []
  private readonly ended = new AbortController()
  private readonly processes = new Map<string, SimulatedProcess>()
  private day = 0
  private left: readonly Command[]
  private healedMs = Number.POSITIVE_INFINITY
  private isHealed = false

  constructor(wire: Wire, history: History, trace?: (line: string) => void) {
    this.history = history
    this.random = randomOf(history.seed)
    this.left = history.commands
    const chances = randomOf(history.seed + 1)
    this.scheduler = new Scheduler({
      random: this.random,
      faults: (call) => this.faultOf(call, chances),
      onStop: (process) => {
        this.server.stop(process)
        this.log.stop(process)
        if (process.isDead) this.restartLater(process.role)
      },
      onRestart: () => this.server.restart(),
      ...(trace && { trace }),
    })
    this.server = new SimulatedServer(wire, () => this.scheduler)
    const { partitions, isShared, batchMax } = history
    this.log = new SimulatedLog({
      scheduler: () => this.scheduler,
      random: this.random,
      partitions,
      isShared,
      batchMax,
    })
    this.world = {
      history,
      storeOf: (process) => this.server.storeOf(process),
      logOf: (process) => this.log.logOf(process),
      nowOf: ({ skewMs }) => new Date(nightMs(this.day) + this.scheduler.nowMs + skewMs),
      due: [],
      queues: new Map([
        ['crawler', []],
        ['operator', []],
      ]),
      acknowledged: 0,
      read: new Map(),
      copy: new DatabaseSync(':memory:'),
      cache: new Map(),
      mirroredTo: 0,
      broken: [],
      serial: 0,
      signal: this.ended.signal,
    }
  }

  async run(): Promise<Outcome> {
    const unhandled = (error: unknown) => this.world.broken.push(`a process ended, since nobody handled: ${error}`)
    process.on('unhandledRejection', unhandled)
    try {
      return await this.runToEnd()
    } finally {
      // Dead processes wait for calls that never answer: the abort lets go of what they hold.
      this.ended.abort()
      await untilQuiet()
      process.off('unhandledRejection', unhandled)
    }
  }

  private async runToEnd(): Promise<Outcome> {
    this.server.begin()
    for (const role of Object.keys(ROLES)) this.start(role)
    this.nextCommand()
    const isDone = (await this.scheduler.run(() => this.isDone(), STEPS_MAX)) && !this.isLate()
    const evidence = await this.evidence()
    const misses = [...(isDone ? [] : [this.unfinished()]), ...missesOf(evidence)]
    for (const process of this.processes.values()) this.scheduler.kill(process, 'the end')
    this.world.copy.close()
    return {
      misses,
      struck: this.struck,
      steps: this.scheduler.steps,
      tookMs: this.scheduler.nowMs,
      acknowledged: this.world.acknowledged,
      changes: evidence.tables.changes.length,
    }
  }

  private start(role: string): void {
    const main = ROLES[role]
    if (main === undefined) return
    const begun = this.scheduler.spawn(role, main(this.world), () => {
      if (!begun.isDead) this.scheduler.kill(begun, 'ended')
    })
    this.processes.set(role, begun)
  }

  private restartLater(role: string): void {
    const { min, span } = RESTART_MS
    this.scheduler.after(min + Math.floor(this.random() * span), () => {
      if (this.processes.get(role)?.isDead) this.start(role)
    })
  }

  private nextCommand(): void {
    const [command, ...left] = this.left
    this.left = left
    if (command === undefined) {
      this.scheduler.after(UNREST_MS, () => this.heal())
      return
    }
    this.scheduler.after(command.afterMs, () => {
      const batch = batchOf(command)
      if (batch !== null) {
        const role = batch.topic === TOPICS.observations || command.kind === 'register' ? 'crawler' : 'operator'
        this.world.queues.get(role)?.push(batch)
      } else if (command.kind === 'night') {
        this.day = command.day
        this.world.due.push(command.day)
      }
      this.scheduler.effect('anywhere')
      this.nextCommand()
    })
  }

  /** From now on nothing fails, clocks are right, and everything must come to an end. */
  private heal(): void {
    this.isHealed = true
    this.healedMs = this.scheduler.nowMs
    for (const process of this.processes.values()) process.skewMs = 0
  }

  private faultOf(call: { role: string; nth: number; kind: CallKind }, chances: () => number): Fault | undefined {
    if (this.isHealed) return undefined
    const { faults } = this.history
    const { role, nth } = call
    const fault = 'kind' in faults ? draw(faults, call.kind, chances) : planned(faults, call)
    if (fault !== undefined) this.struck.push({ role, nth, fault })
    return fault
  }

  private isDone(): boolean {
    if (this.isLate()) return true
    if (!this.isHealed || !this.server.isQuiet()) return false
    for (const process of this.processes.values()) if (process.isDead || process.isFrozen()) return false
    for (const queue of this.world.queues.values()) if (queue.length > 0) return false
    return this.lacks().length === 0
  }

  private isLate(): boolean {
    return this.scheduler.nowMs > this.healedMs + HEALED_MS_MAX
  }

  private unfinished(): string {
    const lacks = this.lacks()
    return `not done after ${this.scheduler.steps} calls and ${Math.round(this.scheduler.nowMs / 1000)} s: ${lacks.join(', ')}`
  }

  /** What is not done yet. */
  private lacks(): string[] {
    const lacks: string[] = []
    for (const [role, queue] of this.world.queues)
      if (queue.length > 0) lacks.push(`${role} has ${queue.length} to append`)
    const checkpoints = this.server.look<{ place: string; next: bigint }>(POSITIONS)
    const applied = new Map(checkpoints.map(({ place, next }) => [place, next]))
    for (const [topic, partitions] of this.log.topics) {
      for (const [partition, records] of partitions.entries()) {
        const next = applied.get(`${topic}/${partition}`) ?? 0n
        if (next !== BigInt(records.length))
          lacks.push(`${topic}/${partition} is applied up to ${next} of ${records.length}`)
      }
    }
    return lacks.length > 0 ? lacks : this.lacksOfReaders()
  }

  private lacksOfReaders(): string[] {
    const heads = new Map(
      this.server
        .look<{ scope: string; head: bigint }>('select scope, rseq as head from scope_heads')
        .map(({ scope, head }) => [scope, Number(head)]),
    )
    const behind = (what: string, scope: string, at: number) =>
      at === (heads.get(scope) ?? 0) ? [] : [`${what} of ${scope} is at ${at} of ${heads.get(scope)}`]
    const last = this.world.due.length === 0 ? undefined : nightMs(this.world.due.at(-1) as number)
    const isPublished = last === undefined || this.publishedMs() >= last
    return [
      ...(isPublished ? [] : ['the last night is not published']),
      ...[...this.world.read].flatMap(([scope, seen]) => behind('reader', scope, seen.at(-1)?.seq ?? 0)),
      ...behind('mirror', this.history.mirrored, this.world.mirroredTo),
    ]
  }

  private publishedMs(): number {
    const [row] = this.server.look<{ at: string | null }>('select max(as_of) as at from run_marks')
    return row?.at ? Date.parse(row.at) : Number.NEGATIVE_INFINITY
  }

  private async evidence(): Promise<Evidence> {
    const { server, log, world } = this
    const texts = (topic: (typeof TOPICS)[keyof typeof TOPICS]) =>
      log.recordsOf(topic).map((records) => records.map(({ value }) => value))
    return {
      texts: {
        observations: texts(TOPICS.observations),
        decisions: texts(TOPICS.decisions)[0] as string[],
        items: texts(TOPICS.items)[0] as string[],
      },
      sent: sentBy(this.history.commands),
      dueMs: Math.max(...world.due.map((day) => nightMs(day))),
      generation: GENERATION,
      tables: await readTables((sql) => server.look(sql)),
      read: world.read,
      mirror: { scope: this.history.mirrored, rows: mirroredItems(world.copy) },
      broken: [...world.broken, ...server.broken],
    }
  }
}

/** Everything that clients were asked to append. */
function sentBy(commands: readonly Command[]): Map<string, readonly string[]> {
  const sent = new Map<string, string[]>()
  for (const command of commands) {
    const batch = batchOf(command)
    if (batch === null) continue
    sent.set(batch.topic, [...(sent.get(batch.topic) ?? []), ...batch.records.map(({ value }) => value)])
  }
  return sent
}

function planned(faults: readonly PlannedFault[], call: { role: string; nth: number }): Fault | undefined {
  return faults.find(({ role, nth }) => role === call.role && nth === call.nth)?.fault
}

const FREEZE_MS = [2_000, 12_000, 45_000, 90_000]
const CLOCK_MS = [-DAY_MS, -HOUR_MS, HOUR_MS, DAY_MS]
/** Faults of everybody at once are rarer than those of one. */
const RESTART_CHANCE = 0.2
/** Appends are few beside statements, and what fails in them matters most. */
const APPEND_WEIGHT = 10

function draw({ each, kinds }: Chances, kind: CallKind, random: () => number): Fault | undefined {
  if (random() >= each * (kind === 'append' ? APPEND_WEIGHT : 1)) return undefined
  const drawn = kinds[Math.floor(random() * kinds.length)]
  const isAfter = random() < 0.5
  switch (drawn) {
    case undefined:
      return undefined
    case 'crash':
    case 'reset':
      return { kind: drawn, isAfter }
    case 'freeze':
      return { kind: 'freeze', isAfter, ms: FREEZE_MS[Math.floor(random() * FREEZE_MS.length)] as number }
    case 'clock':
      return { kind: 'clock', ms: CLOCK_MS[Math.floor(random() * CLOCK_MS.length)] as number }
    case 'restart':
      return random() < RESTART_CHANCE && (kind === 'statement' || kind === 'commit') ? { kind: 'restart' } : undefined
    case 'twice':
    case 'part':
      return kind === 'append' ? { kind: drawn } : undefined
    case 'again':
      return kind === 'poll' || kind === 'request' ? { kind: 'again' } : undefined
  }
}

/** The history of a seed. */
export const historyOf = (seed: number): History => drawHistory(seed, randomOf(seed * 7919 + 13))
