import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, loadOf, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { freePort, startCatalog } from '@catalog/stack/servers/command.ts'
import { processorSecondsOf } from '@catalog/stack/servers/machine.ts'

/** `--former DIR` starts an older checkout in turn. */
export const startBench: Bench = {
  title: 'the first start with the sample, as `npm start` makes it: from an empty folder to a search that finds',
  async run(say, { isBrief = false, former } = {}) {
    const program = former && join(former, 'services/cli/catalog.js')
    const [ours, before]: [Start[], Start[]] = [[], []]
    for (let round = 0; round < (isBrief ? 1 : ROUNDS); round++) {
      if (program !== undefined) before.push(await firstStart(program))
      ours.push(await firstStart(undefined))
      say(`${JSON.stringify({ ours: ours.at(-1), before: before.at(-1) })}; load ${loadOf()}`)
    }
    const median = (starts: readonly Start[], of: keyof Start) =>
      starts.map((start) => start[of]).sort((a, b) => a - b)[starts.length >> 1] as number
    const rows: Row[] = [
      { stage: 'to the first page', figure: tenths(median(ours, 'pageS')), unit: 's', max: PAGE_MAX_S },
      { stage: 'to a search that finds', figure: tenths(median(ours, 'readyS')), unit: 's', max: READY_MAX_S },
      { stage: 'processor', figure: tenths(median(ours, 'processorS')), unit: 's', max: null },
    ]
    if (former === undefined) return rows
    const [oursMs, besideMs] = [median(ours, 'processorS') * 1e3, median(before, 'processorS') * 1e3]
    return [...rows, { stage: 'processor', beside: `the same by ${former}`, oursMs, besideMs, ratioMax: RATIO_MAX }]
  },
}
const ROUNDS = 3
const PAGE_MAX_S = 1
const READY_MAX_S = 8
const RATIO_MAX = 0.35
const LOOK_MS = 20
const TIMEOUT_MS = 600_000

type Start = Readonly<{ pageS: number; readyS: number; processorS: number }>

async function firstStart(program: string | undefined): Promise<Start> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-start-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const sinceS = () => (performance.now() - begun) / 1e3
  await using command = startCatalog(['up', '--sample', '--json', '--port', String(port)], {
    data: join(folder.path, 'data'),
    env: { HOME: folder.path },
    createsStore: true,
    timeoutMs: TIMEOUT_MS,
    ...(program !== undefined && { program }),
  })
  let pageS: number | undefined
  const looking = setInterval(() => {
    fetch(origin, { headers: { accept: 'text/html' } }).then(
      () => {
        pageS ??= sinceS()
      },
      () => {},
    )
    if (pageS !== undefined) clearInterval(looking)
  }, LOOK_MS)
  const line = await command.firstLine
  clearInterval(looking)
  if (line === undefined) throw new Error(`catalog up ended: ${command.output().slice(-2_000)}`)
  const found = (await (await fetch(`${origin}/v1/search?q=cemento%2025%20kg&region=ES`)).json()) as {
    results: readonly unknown[]
  }
  if (found.results.length === 0) throw new Error('a search for cement found nothing, expected items of the sample')
  return { pageS: pageS ?? sinceS(), readyS: sinceS(), processorS: processorSecondsOf(command.pid) }
}
