import { availableParallelism } from 'node:os'
import { findMutants } from '@catalog/stack/mutants/find.ts'
import { readOptions } from '@catalog/stack/servers/options.ts'
import { describeHistory } from '@catalog/stack/simulation/history.ts'
import { type Found, openSearch, searchApart, shrunkOf } from '@catalog/stack/simulation/search.ts'
import type { Shrunk } from '@catalog/stack/simulation/shrink.ts'

/**
 * Simulates the core of the catalog in one process: log, projectors, aggregators, feeds and a mirror, in virtual time and a
 * seeded order, with faults at every call that leaves a process (docs/testing.md). Law: what was acknowledged is applied,
 * published, fed and mirrored, once and as it was sent.
 */
const HELP = `npm run simulate -- [options]

  --histories N  random histories of the core, with crashes, zombies and lost replies (10000)
  --seed S       the seed of the first history (1)
  --mutants      instead plants faults in a copy of the code, one after the other, and prints which seed finds each
  --only NAME    with --mutants: those whose name holds this text
  --json         one JSON value on stdout

A history that fails is named at once, shrunk at the end, and printed with what it lacks. --seed S --histories 1 runs it again.
`

const { values } = readOptions(HELP, {
  histories: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
  mutants: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
  worker: { type: 'boolean', default: false },
  first: { type: 'boolean', default: false },
})

const range = () => ({ seed: numberOf('seed'), histories: numberOf('histories') })

function numberOf(option: 'seed' | 'histories'): number {
  const number = Number(values[option])
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new Error(`--${option} '${values[option]}': expected a whole number from 1 on`)
}

/** A few histories, until one fails: for a mutant. */
async function work(): Promise<void> {
  await using search = await openSearch()
  process.stdout.write(JSON.stringify(await search.run(range(), values.first)))
}

/** A process takes seconds to start. */
const HISTORIES_APART = 50
const PROGRESS_MS = 10_000

async function simulateAll(): Promise<void> {
  const { histories } = range()
  const processes = Math.min(availableParallelism(), Math.ceil(histories / HISTORIES_APART))
  const beganMs = performance.now()
  const secondsNow = () => (performance.now() - beganMs) / 1000
  const say = (line: string) => process.stderr.write(`${line}\n`)
  let sum: Found | null = null
  const telling = setInterval(() => say(progressOf(sum, { histories, seconds: secondsNow() })), PROGRESS_MS)
  const found = await searchApart(range(), processes, (part, sumNow) => {
    sum = sumNow
    for (const seed of part.failed) say(`failed: seed ${seed}${seed === part.failed[0] ? `: ${part.misses[0]}` : ''}`)
  }).finally(() => clearInterval(telling))
  const seconds = Math.round(secondsNow())
  const [first] = found.failed
  if (first !== undefined) say(`shrinking seed ${first}`)
  const shrunk = first === undefined ? null : await shrunkOf(first)
  if (found.failed.length > 0) process.exitCode = 1
  process.stdout.write(
    values.json ? `${JSON.stringify({ ...found, seconds, shrunk })}\n` : told(found, { seconds, shrunk }),
  )
}

function progressOf(sum: Found | null, { histories, seconds }: { histories: number; seconds: number }): string {
  const [done, failed] = [sum?.histories ?? 0, sum?.failed.length ?? 0]
  const left = done === 0 ? '' : `, ${Math.ceil((seconds / done) * (histories - done))} s left`
  return `${done} of ${histories} histories, ${failed} failed, ${Math.round(seconds)} s${left}`
}

function told(
  { histories, failed, misses, totals }: Found,
  { seconds, shrunk }: { seconds: number; shrunk: Shrunk | null },
) {
  const { calls, faults, records, changes, virtualMs, cpuMs } = totals
  const lines = [
    `${histories} histories in ${seconds} s (${(cpuMs / histories).toFixed(0)} ms of a core each, ${Math.round(virtualMs / 3_600_000)} virtual hours): ` +
      `${records} records acknowledged, ${changes} changes numbered, ${calls} calls, ${faults} faults`,
    failed.length === 0
      ? 'nothing lost, doubled or wrong, and everything done within its bound'
      : `${failed.length} failed: seeds ${failed.slice(0, 20).join(', ')}`,
    ...misses.map((miss) => `  ${miss}`),
  ]
  if (shrunk !== null) {
    lines.push(
      '',
      `shrunk in ${shrunk.runs} runs:`,
      ...describeHistory(shrunk.history),
      ...shrunk.misses.map((miss) => `  ${miss}`),
    )
  }
  return `${lines.join('\n')}\n`
}

async function mutants(): Promise<void> {
  const { results, isWhole } = await findMutants(values.only, (line) => process.stderr.write(`${line}\n`))
  if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`)
  if (!isWhole) process.exitCode = 1
}

if (values.worker) await work()
else if (values.mutants) await mutants()
else await simulateAll()
