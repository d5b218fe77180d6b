import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MINUTE_MS } from '@catalog/core/time.ts'
import { INJECTIONS, NOT_INJECTED, unavailable } from '@catalog/stack/faults/injections/injections.ts'
import { PRODUCTS } from '@catalog/stack/faults/system/market.ts'
import { startServers } from '@catalog/stack/faults/system/servers.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { planOf } from './plan.ts'
import { reportHtml, reportText } from './report.ts'
import { runFaults } from './run.ts'

const HELP = `npm run faults -- [--seed N] [--faults LIST] [--minutes M] [--events N] [--json] [--html FILE] [--list]

Runs the distributed catalog on real servers under faults, and compares what its clients were told with what it shows.

  --seed N        the plan's seed (default: 1); the same arguments replay the same plan
  --faults LIST   names or kinds, comma-separated (default: all that this machine can inject); each comes once
  --minutes M     as many faults as usually fit, from 0.1 to 600
  --events N      observations that a program appends meanwhile (default: 10000)
  --history FILE  the clients' history as JSON lines (default: a file of temporary files)
  --json          the report as JSON on stdout
  --html FILE     the report as a page
  --list          the faults, and why some are not injected here

It exits with code 1 when anything is lost, doubled, wrong or late.
`

/** Appends of the stream in a second. */
const APPENDS_PER_SECOND = 1.5

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      faults: { type: 'string' },
      minutes: { type: 'string' },
      events: { type: 'string', default: '10000' },
      history: { type: 'string' },
      json: { type: 'boolean', default: false },
      html: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return void process.stdout.write(HELP)
  if (values.list) return void process.stdout.write(list())
  const seed = numberOf('seed', values.seed, { min: 0, max: 2 ** 31 })
  const events = numberOf('events', values.events, { min: 1, max: 10_000_000 })
  const minutes = values.minutes === undefined ? undefined : numberOf('minutes', values.minutes, { min: 0.1, max: 600 })
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const plan = planOf({ seed, minutes, injections: chosen(values.faults?.split(','), say) })
  const batch = Math.min(PRODUCTS, Math.max(1, Math.ceil(events / (plan.seconds * APPENDS_PER_SECOND))))
  const historyFile = values.history ?? join(tmpdir(), `catalog-faults-${seed}.jsonl`)
  const needs = {
    hasIndex: plan.needs.has('index'),
    hasDisks: plan.needs.has('disks'),
    brokers: plan.needs.has('brokers') ? 3 : 1,
  } as const
  const report = await runFaults({
    plan,
    batch,
    historyFile,
    runEveryMs: MINUTE_MS,
    openServers: () => startServers(needs),
    say,
  })
  say(reportText(report))
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`)
  if (values.html !== undefined) writeFileSync(values.html, reportHtml(report))
  if (report.misses.length > 0) process.exitCode = 1
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
