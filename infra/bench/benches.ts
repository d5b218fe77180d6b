import { crawlBench } from '@catalog/bench/benches/crawl.ts'
import { explorerBench } from '@catalog/bench/benches/explorer.ts'
import { upBench } from '@catalog/bench/benches/lists/up.ts'
import { mcpBench } from '@catalog/bench/benches/mcp.ts'
import { mediansBench } from '@catalog/bench/benches/medians.ts'
import { mirrorBench } from '@catalog/bench/benches/mirror.ts'
import { killsBench, monthBench, vendorsBench } from '@catalog/bench/benches/month.ts'
import { growthBench, projectBench } from '@catalog/bench/benches/project.ts'
import { readBench } from '@catalog/bench/benches/read.ts'
import { replayBench } from '@catalog/bench/benches/replay.ts'
import { searchBench } from '@catalog/bench/benches/search.ts'
import { splinkBench } from '@catalog/bench/benches/splink.ts'
import { startBench } from '@catalog/bench/benches/start.ts'
import type { Bench } from '@catalog/bench/harness/report.ts'

/** Every bench by its name, in the order of the data path. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  crawl: crawlBench,
  month: monthBench,
  vendors: vendorsBench,
  splink: splinkBench,
  start: startBench,
  kills: killsBench,
  up: upBench,
  project: projectBench,
  growth: growthBench,
  replay: replayBench,
  medians: mediansBench,
  read: readBench,
  search: searchBench,
  mcp: mcpBench,
  explorer: explorerBench,
  mirror: mirrorBench,
}
