import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { auditDeployment, auditSample } from '@catalog/judge/audit/audits.ts'
import { judgeBc3 } from '@catalog/judge/bc3/bc3.ts'
import { judgeCrawlBehaviours, lineOf, passes, totalsOf } from '@catalog/judge/behaviours/behaviours.ts'
import { judgeCases } from '@catalog/judge/cases/cases.ts'
import { findBreakingChanges } from '@catalog/judge/contract/breaking.ts'
import { judgeContract } from '@catalog/judge/contract/judges.ts'
import { judgeDeploy } from '@catalog/judge/deploy/deploy.ts'
import { judgeFeeds } from '@catalog/judge/feeds/feeds.ts'
import { startFeedsUnderTest } from '@catalog/judge/feeds/feeds-under-test.ts'
import { judgeGenerators } from '@catalog/judge/generators/generators.ts'
import { BASELINE, contractText, type OpenApi } from '@catalog/judge/harness/document.ts'
import { startSystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { oasdiffAvailable } from '@catalog/judge/harness/tools.ts'
import type { Verdict } from '@catalog/judge/harness/verdict.ts'
import { judgeMcp } from '@catalog/judge/mcp/mcp.ts'
import { judgeShops } from '@catalog/judge/shops/shops.ts'
import { BadTruth } from '@catalog/judge/shops/truth.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { readOptions, refuseUsage } from '@catalog/stack/servers/options.ts'

const HELP = `npm run judge -- NAME [options]
Independent tools check what we serve and write. The first use of each fetches its tools.

  contract          the API as it is served: the specification line by line, readers' habits, document, every operation,
                    the client in Python, broken promises; with --url the first two, of any deployment
  generators        clients that six generators make from the document: complete, compiled, five calls each
  feeds             every kind of feed of a hostile catalog; its numbers and chains are computed again
  mcp               the MCP endpoint and its authorization server: conformance suite and independent clients
  bc3               the BC3 files that we write, read by the programs of --reader "CMD", which may repeat
  deploy            the chart by Helm, helm-unittest and kubeconform; the file of Docker Compose by its parser
  shops [FOLDER]    saved documents of shops, read as a crawl does, beside tables of what is true of them
  cases             files of vendors with their right answer, crawled as each case of --dir says
  crawl-behaviours  a shop that answers oddly in some hundred ways, crawled
  renew             writes the document as the baseline, unless a promise would break

  --url URL         for contract: the base address of a deployment; it has at least 100 items, and gives keys
  --key KEY         for contract with --url: an organization key, for the rows that need one and higher limits
  --reader "CMD"    for bc3: infra/judge/bc3/bc3.ts describes what CMD prints
  --dir FOLDER      for cases: a folder NN with a case.md for each; ../shared/data/cases by default
  --json            one JSON value on stdout
`
const COMMANDS: Readonly<Record<string, (options: Options) => Promise<boolean>>> = {
  contract,
  generators,
  feeds,
  mcp,
  bc3,
  deploy,
  shops,
  cases,
  'crawl-behaviours': crawlBehaviours,
  renew,
}
type Options = Readonly<{
  json: boolean
  reader: readonly string[]
  folder: string | undefined
  dir: string
  url: string | undefined
  key: string | undefined
}>

exitOnSignals()
const { positionals, values } = readOptions(HELP, {
  json: { type: 'boolean' },
  reader: { type: 'string', multiple: true },
  dir: { type: 'string', default: '../shared/data/cases' },
  url: { type: 'string' },
  key: { type: 'string' },
})
const [name = '', folder] = positionals
const command = COMMANDS[name]
if (command === undefined) refuseUsage(`judge '${name}': expected one of ${Object.keys(COMMANDS).join(', ')}`, HELP)
const { json = false, reader = [], dir, url, key } = values
process.exitCode = (await command({ json, reader, folder, dir, url, key })) ? 0 : 1

async function contract({ json, url, key }: Options): Promise<boolean> {
  if (url !== undefined) return await printVerdicts({ json }, (report) => auditDeployment({ url, key }, report))
  console.error('starting the API with the sample market, twice: with its limits, and without')
  return await printVerdicts({ json }, async (report) => {
    const audited = await auditSample(report)
    await using system = await startSystemUnderTest({ sample: true })
    return [...audited, ...(await judgeContract(system, report))]
  })
}

async function generators({ json }: { json: boolean }): Promise<boolean> {
  console.error('starting the API with the sample market')
  await using system = await startSystemUnderTest({ sample: true })
  return await printVerdicts({ json }, (report) => judgeGenerators(system, report))
}

async function feeds({ json }: { json: boolean }): Promise<boolean> {
  console.error('serving the feeds of a hostile catalog')
  await using system = await startFeedsUnderTest()
  return await printVerdicts({ json }, (report) => judgeFeeds(system, report))
}

async function mcp({ json }: { json: boolean }): Promise<boolean> {
  console.error('starting the API with the sample market')
  await using system = await startSystemUnderTest({ sample: true })
  return await printVerdicts({ json }, (report) => judgeMcp(system, report))
}

async function bc3({ json, reader }: Options): Promise<boolean> {
  if (reader.length === 0) {
    console.error('no reader: expected --reader "CMD", as infra/judge/bc3/bc3.ts describes')
    return false
  }
  console.error('rewriting real files and writing a catalog of recipes')
  return await printVerdicts({ json }, (report) => judgeBc3(reader, report))
}

async function deploy({ json }: { json: boolean }): Promise<boolean> {
  console.error('rendering the chart; the first time takes minutes, which compile its tools')
  return await printVerdicts({ json }, judgeDeploy)
}

async function shops({ json, folder }: Options): Promise<boolean> {
  try {
    return await printVerdicts({ json }, (report) => judgeShops(folder, report))
  } catch (error) {
    if (!(error instanceof BadTruth)) throw error
    console.error(error.message)
    return false
  }
}

async function cases({ json, dir }: Options): Promise<boolean> {
  return await printVerdicts({ json }, (report) => judgeCases(dir, report))
}

async function crawlBehaviours({ json }: Options): Promise<boolean> {
  const judged = await judgeCrawlBehaviours((one) => {
    if (!json) console.log(lineOf(one))
  })
  console.log(json ? JSON.stringify(judged, null, 2) : totalsOf(judged))
  return passes(judged)
}

async function printVerdicts(
  { json }: { json: boolean },
  judge: (report: (verdict: Verdict) => void) => Promise<readonly Verdict[]>,
): Promise<boolean> {
  const verdicts = await judge((verdict) => {
    if (!json) console.log(line(verdict))
    if (verdict.details !== '') console.error(verdict.details)
  })
  if (json) console.log(JSON.stringify(verdicts, null, 2))
  return verdicts.every(({ verdict }) => verdict !== 'failed')
}

function line({ verdict, judge, says, seconds }: Verdict): string {
  return `${verdict.padEnd(8)} ${judge.padEnd(32)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${says}`
}

async function renew(): Promise<boolean> {
  await using system = await startSystemUnderTest({ sample: false })
  const { document, folder } = system
  const text = contractText(document)
  if (existsSync(BASELINE)) {
    const reason = await oasdiffAvailable()
    if (reason !== null) throw new Error(`nothing is renewed: ${reason}`)
    const base = JSON.parse(readFileSync(BASELINE, 'utf8')) as OpenApi
    const broken = await findBreakingChanges({ base, revision: JSON.parse(text) as OpenApi }, { folder })
    if (broken.length > 0) {
      console.error(`${broken.join('\n')}\nnothing is renewed: /v1 keeps what it promised`)
      return false
    }
  }
  writeFileSync(BASELINE, text)
  console.log(`renewed ${BASELINE}`)
  return true
}
