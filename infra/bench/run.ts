import { parseArgs } from 'node:util'
import { aggregateBench } from '@catalog/bench/benches/aggregate.ts'
import { bc3Bench } from '@catalog/bench/benches/bc3.ts'
import { crawlBench } from '@catalog/bench/benches/crawl.ts'
import { matchBench } from '@catalog/bench/benches/match.ts'
import { mcpBench } from '@catalog/bench/benches/mcp.ts'
import { mirrorBench } from '@catalog/bench/benches/mirror.ts'
import { growthBench, projectBench } from '@catalog/bench/benches/project.ts'
import { readBench } from '@catalog/bench/benches/read.ts'
import { replayBench } from '@catalog/bench/benches/replay.ts'
import { searchBench } from '@catalog/bench/benches/search.ts'
import { asJson, asTable, type Bench } from '@catalog/bench/harness/report.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'

/**
 * `npm run bench -- NAME [--json]`: our stages beside peers and limits, as ratios within one run. `--items N,N` sets
 * other sizes for match, search and replay, `--megabytes N` for crawl.
 */
const BENCHES: Readonly<Record<string, Bench>> = {
  aggregate: aggregateBench,
  bc3: bc3Bench,
  crawl: crawlBench,
  growth: growthBench,
  match: matchBench,
  mcp: mcpBench,
  mirror: mirrorBench,
  project: projectBench,
  read: readBench,
  replay: replayBench,
  search: searchBench,
}

exitOnSignals()
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, items: { type: 'string' }, megabytes: { type: 'string' } },
})
const [name = ''] = positionals
const bench = BENCHES[name]
if (bench === undefined) {
  console.error(`bench '${name}': expected one of`)
  for (const [known, { title }] of Object.entries(BENCHES)) console.error(`  ${known}: ${title}`)
  process.exitCode = 2
} else {
  const items = values.items?.split(',').map(Number)
  const megabytes = values.megabytes === undefined ? undefined : Number(values.megabytes)
  const rows = await bench.run((line) => console.error(line), {
    ...(items && { items }),
    ...(megabytes && { megabytes }),
  })
  console.log(values.json ? asJson(name, rows) : asTable(rows))
}
