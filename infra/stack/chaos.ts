import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomOf as fractionsOf } from '@catalog/core/random.ts'
import { writeLists } from '@catalog/stack/path/lists.ts'
import { answerOf, freePort, type Running, startCatalog } from '@catalog/stack/servers/command.ts'

/**
 * For each seed, sends kill -9 at random moments of crawl, aggregate and serve on embedded data. Then runs the same
 * commands from the first until they succeed. With `sample` it does so with the first start of `catalog up --sample`.
 *
 * Law: afterwards seq, counts, index and roots equal those of an undisturbed run, and verify holds. Throws Disturbed at
 * the first seed that breaks it.
 */
export async function chaos({ seeds, firstSeed, sample, report }: ChaosOptions): Promise<readonly SeedReport[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-chaos-'))
  const scenario = sample ? SAMPLE : vendorsScenario(join(folder.path, 'lists'))
  const begunOn = today()
  const { stepMs } = await live(scenario, { data: join(folder.path, 'undisturbed'), random: null, stepMs: [] })
  const expected = await stateOf(join(folder.path, 'undisturbed'))
  report(`undisturbed: steps of ${stepMs.map(Math.round).join(', ')} ms end with ${expected}`)
  const lifeOf = async (seed: number): Promise<SeedReport> => {
    try {
      const data = join(folder.path, `seed-${seed}`)
      const { attempts, killed } = await live(scenario, { data, random: randomOf(seed), stepMs })
      if (sample && today() !== begunOn) throw new Error('the day changed, and with it the sample; start again')
      const found = await stateOf(data)
      const after = killed.join('; ') || 'no kill: all moments came too late'
      if (found !== expected) throw new Error(`expected ${expected}, found ${found}, after ${after}`)
      report(`seed ${seed}: holds after ${attempts} attempts: ${after}`)
      return { seed, attempts, killed }
    } catch (cause) {
      throw new Disturbed(seed, { cause })
    }
  }
  const reports: SeedReport[] = []
  const waiting = Array.from({ length: seeds }, (_, n) => firstSeed + n).values()
  const lanes = Array.from({ length: SEEDS_AT_ONCE }, async () => {
    for (const seed of waiting) reports.push(await lifeOf(seed))
  })
  // The folder stays until both have ended.
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return reports.toSorted((a, b) => a.seed - b.seed)
}
/** One seed leaves a core of two idle while it waits for its kill. */
const SEEDS_AT_ONCE = 2

export type ChaosOptions = Readonly<{
  seeds: number
  firstSeed: number
  sample: boolean
  /** Receives a line of progress for each seed. */
  report: (line: string) => void
}>
export type SeedReport = Readonly<{ seed: number; attempts: number; killed: readonly string[] }>

class Disturbed extends Error {
  override name = 'Disturbed'
  constructor(seed: number, { cause }: { cause: unknown }) {
    super(`seed ${seed}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** A user's commands in order; each may be repeated safely. */
type Scenario = Readonly<{
  steps: readonly Step[]
  /** Servers that may run beside the steps, from the given step on. */
  companions: readonly Readonly<{ command: Server; fromStep: number }>[]
}>
/** A command that ends by itself, or a server that is stopped once it is ready. */
type Step = Readonly<{ args: readonly string[]; isServer: boolean }>
type Server = 'serve' | 'up'

/** Kills per seed; afterwards the steps run undisturbed and must succeed. */
const KILLS_MAX = 3
/** Attempts to kill: every step may end sooner than in the undisturbed run. */
const ATTEMPTS_MAX = 6

type Life = Readonly<{
  data: string
  /** Null kills nothing and starts no companion. */
  random: Random | null
  /** Durations of the steps in an undisturbed run. */
  stepMs: readonly number[]
}>

/** Runs the steps, kills what the random numbers choose, and starts again from the first until all succeed. */
async function live({ steps, companions }: Scenario, { data, random, stepMs }: Life) {
  const killed: string[] = []
  const kills = random === null ? 0 : 1 + random.below(KILLS_MAX)
  for (let attempt = 1; ; attempt++) {
    const isKilling = killed.length < kills && attempt <= ATTEMPTS_MAX
    const kill = random !== null && isKilling ? killPlan(random, steps.length) : null
    const company = random === null ? null : companyPlan(random, companions, kill?.step ?? steps.length - 1)
    const killedBefore = killed.length
    const onKill = (victim: string, afterMs: number) => killed.push(`${victim} at ${Math.round(afterMs)} ms`)
    const outcome = await attemptSteps(steps, { data, isFirst: attempt === 1, stepMs, kill, company, onKill })
    if ('stepMs' in outcome && (!isKilling || killed.length > 0)) {
      return { stepMs: outcome.stepMs, attempts: attempt, killed }
    }
    if ('failure' in outcome && killed.length === killedBefore)
      throw new Error(`nothing was killed, and still ${outcome.failure}`)
  }
}

/** `fraction` of the step's undisturbed time; a step that ends earlier passes its kill to the next one. */
type KillPlan = Readonly<{ step: number; fraction: number; victim: 'step' | 'companion' }>

/** Chooses any step with equal chance, however long it takes, and any moment in it. */
function killPlan(random: Random, steps: number): KillPlan {
  const [step, fraction, victim] = [random.below(steps), random.fraction(), random.below(3)]
  return { step, fraction, victim: victim === 0 ? 'companion' : 'step' }
}

type CompanyPlan = Readonly<{ command: Server; step: number; isReadyFirst: boolean }>

/** Most attempts have a companion; it starts before or with a step up to `lastStep`. */
function companyPlan(random: Random, companions: Scenario['companions'], lastStep: number): CompanyPlan | null {
  const [choice, place, isReadyFirst] = [random.below(companions.length + 1), random.fraction(), random.below(2) === 0]
  const companion = companions[choice]
  if (companion === undefined || companion.fromStep > lastStep) return null
  const step = companion.fromStep + Math.floor(place * (lastStep - companion.fromStep + 1))
  // `up` owns the embedded store, so it may not race with a step for it.
  return { command: companion.command, step, isReadyFirst: isReadyFirst || companion.command === 'up' }
}

type Attempt = Readonly<{
  data: string
  isFirst: boolean
  /** Durations of the steps in an undisturbed run. */
  stepMs: readonly number[]
  kill: KillPlan | null
  company: CompanyPlan | null
  onKill: (victim: string, afterMs: number) => void
}>

/** Runs all steps once and returns their times or the failed one. Servers that still run must then stop cleanly. */
async function attemptSteps(
  steps: readonly Step[],
  { data, isFirst, stepMs, kill, company, onKill }: Attempt,
): Promise<{ readonly stepMs: readonly number[] } | { readonly failure: string }> {
  const tookMs: number[] = []
  let companion: Running | null = null
  let companionKilled = false
  let hasStruck = false
  try {
    for (const [index, { args, isServer }] of steps.entries()) {
      if (company?.step === index) {
        companion = await startServer([company.command], data)
        if (company.isReadyFirst) await companion.firstLine
      }
      const begun = performance.now()
      const step = isServer ? await startServer(args, data) : startCatalog([...args, '--json'], { data })
      const strike = ({ victim }: KillPlan, afterMs: number) => {
        const running = victim === 'companion' ? (companion ?? step) : step
        if (!running.kill('SIGKILL')) return
        hasStruck = true
        if (running === companion) companionKilled = true
        onKill(
          running === step ? args.map((arg) => basename(arg)).join(' ') : `${company?.command} beside ${args[0]}`,
          afterMs,
        )
      }
      const isDue = kill !== null && !hasStruck && kill.step <= index
      const afterMs = (kill?.fraction ?? 0) * (stepMs[index] ?? 0)
      const timer = isDue ? setTimeout(strike, afterMs, kill, afterMs) : undefined
      if (isServer) {
        await step.firstLine
        clearTimeout(timer)
        tookMs.push(performance.now() - begun)
        step.kill('SIGTERM')
      }
      const { code, stdout, stderr } = await step.finished
      clearTimeout(timer)
      if (!isServer) tookMs.push(performance.now() - begun)
      // A later publication makes a repeated earlier instant a refusal.
      const isDone = code === 0 || (!isFirst && stdout.includes('AS_OF_PAST'))
      if (!isDone) return { failure: `catalog ${args.join(' ')} ended with ${code}: ${stdout}${stderr}` }
    }
    return { stepMs: tookMs }
  } finally {
    if (companion !== null) await stopServer(companion, { mayFail: companionKilled })
  }
}

async function startServer(args: readonly string[], data: string): Promise<Running> {
  return startCatalog([...args, '--port', String(await freePort()), '--json'], { data })
}

async function stopServer(server: Running, { mayFail }: { mayFail: boolean }): Promise<void> {
  const ready = await server.firstLine
  server.kill('SIGTERM')
  const { code, stderr } = await server.finished
  // A server that lost its store before it was ready may give up; a ready one must stop on request.
  if (!mayFail && ready?.includes('"ready":true') && code !== 0) {
    throw new Error(`a server that was asked to stop ended with ${code}: ${stderr}`)
  }
}

/** Everything that kills must not change, as one line. Throws when verify fails. */
async function stateOf(data: string): Promise<string> {
  const { ok, checks } = (await answerOf(['verify'], { data })) as { ok: boolean; checks: unknown }
  if (!ok) throw new Error(`verify does not hold: ${JSON.stringify(checks)}`)
  const { seq, counts, index, roots } = (await answerOf(['status'], { data })) as Record<string, unknown>
  return JSON.stringify({ seq, counts, index, roots })
}

const today = () => new Date().toISOString().slice(0, 10)

const SAMPLE: Scenario = { steps: [{ args: ['up', '--sample'], isServer: true }], companions: [] }

/** Lists of two weeks, a run after each, and one more after the first prices expired. */
function vendorsScenario(folder: string): Scenario {
  const { first, second, third, mapping } = writeLists(folder)
  const step = (...args: string[]): Step => ({ args, isServer: false })
  return {
    steps: [
      step('crawl', first, second, '--observed-at', '2025-01-05', '--mapping', mapping),
      step('aggregate', '--as-of', '2025-01-06'),
      step('crawl', third, '--observed-at', '2025-01-12', '--mapping', mapping),
      step('aggregate', '--as-of', '2025-01-13'),
      step('aggregate', '--as-of', '2025-02-10'),
    ],
    // `up` makes a run at the clock's instant when none exists.
    companions: [
      { command: 'serve', fromStep: 0 },
      { command: 'up', fromStep: 2 },
    ],
  }
}

type Random = Readonly<{
  /** In [0, 1). */
  fraction: () => number
  /** A whole number in [0, limit). */
  below: (limit: number) => number
}>

/** The same seed gives the same plan on every machine. */
export function randomOf(seed: number): Random {
  const fraction = fractionsOf(seed)
  return { fraction, below: (limit) => Math.floor(fraction() * limit) }
}

/** Seeds per call; each takes about a minute. */
const SEEDS_MAX = 10_000

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10' },
      'first-seed': { type: 'string', default: '1' },
      sample: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const number = (name: 'seeds' | 'first-seed', max: number) => {
    const value = Number(values[name])
    if (Number.isInteger(value) && value >= 1 && value <= max) return value
    throw new Error(`--${name} '${values[name]}': expected a whole number from 1 to ${max}`)
  }
  try {
    const reports = await chaos({
      seeds: number('seeds', SEEDS_MAX),
      firstSeed: number('first-seed', 2 ** 31),
      sample: values.sample,
      report: (line) => process[values.json ? 'stderr' : 'stdout'].write(`${line}\n`),
    })
    if (values.json) process.stdout.write(`${JSON.stringify({ ok: true, seeds: reports })}\n`)
  } catch (error) {
    process.stderr.write(`chaos: ${(error as Error).message}\n`)
    if (values.json) process.stdout.write(`${JSON.stringify({ ok: false, details: (error as Error).message })}\n`)
    process.exitCode = 1
  }
}
