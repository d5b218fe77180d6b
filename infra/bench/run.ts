import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BENCHES } from '@catalog/bench/benches.ts'
import { linesOf, withRows } from '@catalog/bench/harness/page.ts'
import { asJson, asTable, type BenchSize, type Row } from '@catalog/bench/harness/report.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { readOptions, refuseUsage } from '@catalog/stack/servers/options.ts'

const USAGE = `npm run bench -- NAME [options]
Our stages beside peers and limits, as ratios within one run.

${Object.entries(BENCHES)
  .map(([name, { title }]) => `  ${name.padEnd(15)}${title}`)
  .join('\n')}
  ${'all'.padEnd(15)}each of them, in this order

  --items N,N     other sizes, for explorer, kills, medians, month, project, replay, search, splink and vendors
  --seed N        the instants of kills
  --megabytes N   another size of the feed, for crawl
  --former DIR    for month, vendors and start: an older checkout, run in turn, and the ratio to it
  --brief         seconds of work, to see that it runs: the ratios say nothing
  --json          for programs: one line for each bench
  --write         also replaces their rows in docs/benchmarks.md
  --help          this text`

const PAGE = join(import.meta.dirname, '../../docs/benchmarks.md')

exitOnSignals()
const { positionals, values } = readOptions(USAGE, {
  json: { type: 'boolean' },
  items: { type: 'string' },
  megabytes: { type: 'string' },
  seed: { type: 'string' },
  former: { type: 'string' },
  brief: { type: 'boolean' },
  write: { type: 'boolean' },
})
const [name = ''] = positionals
const names = name === 'all' ? Object.keys(BENCHES) : name in BENCHES ? [name] : []
if (values.write && values.brief) refuseUsage('--write: expected a whole measurement, without --brief', USAGE)
if (names.length === 0) {
  refuseUsage(`bench '${name}': expected one of ${[...Object.keys(BENCHES), 'all'].join(', ')}`, USAGE)
} else {
  const size: BenchSize = {
    ...(values.items !== undefined && { items: values.items.split(',').map((count) => positive('--items', count)) }),
    ...(values.seed !== undefined && { seed: positive('--seed', values.seed) }),
    ...(values.megabytes !== undefined && { megabytes: positive('--megabytes', values.megabytes) }),
    ...(values.former !== undefined && { former: resolve(values.former) }),
    ...(values.brief && { isBrief: true }),
  }
  const all: Row[] = []
  for (const each of names) {
    const rows = await BENCHES[each]?.run((line) => console.error(line), size)
    if (rows === undefined) continue
    if (values.json) console.log(asJson(each, rows))
    if (values.write) writeRows(each, rows)
    all.push(...rows)
  }
  if (!values.json) console.log(asTable(all))
}

function writeRows(name: string, rows: readonly Row[]): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  writeFileSync(PAGE, withRows(page, { name, lines: linesOf(name, rows), order: Object.keys(BENCHES) }))
}

function positive(option: string, written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written)
  throw new Error(`${option} '${written}': expected a whole number from 1`)
}
