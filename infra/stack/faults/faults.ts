import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MINUTE_MS } from '@catalog/core/time.ts'
import type { Injection } from '@catalog/stack/faults/injections/injection.ts'
import { INJECTIONS, NOT_INJECTED, unavailable } from '@catalog/stack/faults/injections/injections.ts'
import { PRODUCTS } from '@catalog/stack/faults/system/market.ts'
import { startServers } from '@catalog/stack/faults/system/servers.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { readOptions } from '@catalog/stack/servers/options.ts'
import { planOf } from './plan.ts'
import { reportText } from './report.ts'
import { type RunReport, runFaults } from './run.ts'

const HELP = `npm run faults -- [--seed N | --seeds A-B] [--faults LIST] [--minutes M] [--events N] [--json] [--list]

Runs the distributed catalog on real servers under faults, and compares what its clients were told with what it shows.

  --seed N        the plan's seed (default: 1); the same arguments replay the same plan
  --seeds A-B     one plan after the other, each on servers of its own, and one report of all; at most 1000
  --faults LIST   names or kinds, comma-separated (default: all that this machine can inject); each comes once
  --minutes M     as many faults as usually fit, from 0.1 to 600
  --events N      observations that a program appends meanwhile at least (default: 10000)
  --history FILE  the clients' history as JSON lines (default: a file of temporary files)
  --json          the report as JSON on stdout
  --list          the faults, and why some are not injected here

It exits with code 1 when anything is lost, doubled, wrong or late.
`

/** Appends of the stream in a second. */
const APPENDS_PER_SECOND = 1.5
const SEEDS = { min: 0, max: 2 ** 31 } as const
const SEEDS_AT_ONCE_MAX = 1_000

async function main(): Promise<void> {
  const { values } = readOptions(HELP, {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    faults: { type: 'string' },
    minutes: { type: 'string' },
    events: { type: 'string', default: '10000' },
    history: { type: 'string' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  })
  if (values.list) return void process.stdout.write(list())
  const seeds = seedsOf(values)
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const options = {
    events: numberOf('events', values.events, { min: 1, max: 10_000_000 }),
    minutes: values.minutes === undefined ? undefined : numberOf('minutes', values.minutes, { min: 0.1, max: 600 }),
    injections: chosen(values.faults?.split(','), say),
    history: values.history,
    say,
  }
  const reports: RunReport[] = []
  for (const seed of seeds) {
    const report = await runSeed(seed, options)
    reports.push(report)
    say(reportText([report]))
  }
  if (reports.length > 1) say(reportText(reports))
  if (values.json) process.stdout.write(`${JSON.stringify(reports.length === 1 ? reports[0] : reports)}\n`)
  if (reports.some(({ misses }) => misses.length > 0)) process.exitCode = 1
}

type SeedOptions = Readonly<{
  events: number
  minutes: number | undefined
  injections: readonly Injection[]
  history: string | undefined
  say: (line: string) => void
}>

/** Runs one plan on servers of its own. */
function runSeed(seed: number, { events, minutes, injections, history, say }: SeedOptions): Promise<RunReport> {
  const plan = planOf({ seed, minutes, injections })
  const needs = {
    hasIndex: plan.needs.has('index'),
    hasDisks: plan.needs.has('disks'),
    brokers: plan.needs.has('brokers') ? 3 : 1,
  } as const
  return runFaults({
    plans: [plan],
    runEveryMs: MINUTE_MS,
    eventsMin: events,
    batch: Math.min(PRODUCTS, Math.max(1, Math.ceil(events / (plan.seconds * APPENDS_PER_SECOND)))),
    historyFile: history ?? join(tmpdir(), `catalog-faults-${seed}.jsonl`),
    openServers: () => startServers(needs),
    say,
  })
}

/** The seeds of `--seeds A-B`, or the one of `--seed`. */
function seedsOf({
  seed,
  seeds,
  history,
}: Readonly<{ seed: string; seeds?: string | undefined; history?: string | undefined }>): number[] {
  if (seeds === undefined) return [numberOf('seed', seed, SEEDS)]
  const [, from, to] = /^(\d+)-(\d+)$/.exec(seeds) ?? []
  if (from === undefined || to === undefined) throw new Error(`--seeds '${seeds}': expected two numbers, such as 1-5`)
  if (history !== undefined) throw new Error('--history holds one run: expected --seed with it instead of --seeds')
  const first = numberOf('seeds', from, SEEDS)
  const last = numberOf('seeds', to, { min: first, max: first + SEEDS_AT_ONCE_MAX - 1 })
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

function chosen(names: readonly string[] | undefined, say: (line: string) => void) {
  const known = new Set(INJECTIONS.flatMap(({ name, kind }) => [name, kind]))
  const unknown = names?.filter((name) => !known.has(name)) ?? []
  if (unknown.length > 0) throw new Error(`unknown faults: ${unknown.join(', ')}; --list names them`)
  const wanted = INJECTIONS.filter(
    ({ name, kind }) => names === undefined || names.includes(name) || names.includes(kind),
  )
  return wanted.filter((injection) => {
    const reason = unavailable(injection)
    if (reason !== null) say(`skipped: ${injection.name}: ${reason}`)
    return reason === null
  })
}

function list(): string {
  const lines = INJECTIONS.map((injection) => {
    const reason = unavailable(injection)
    const { name, kind, how, invariant, boundSeconds } = injection
    return `${name} (${kind}${reason === null ? '' : `; not here: ${reason}`})\n  ${how}\n  ${invariant}; applying again in ${boundSeconds} s\n`
  })
  const others = NOT_INJECTED.map(({ name, reason }) => `${name}: not injected\n  ${reason}\n`)
  return [...lines, ...others].join('')
}

function numberOf(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text)
  if (value >= min && value <= max) return value
  throw new Error(`--${name} '${text}': expected a number from ${min} to ${max}`)
}

exitOnSignals()
// Each server and process ends with this one by a listener of its own.
process.setMaxListeners(50)
await main()
