import { existsSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { openListedLog } from '@catalog/judge/harness/listed-log.ts'
import { failed, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { type CaseFile, readCases } from './case-folder.ts'
import { compare, type Found } from './compare.ts'
import { readTruth, type Truth, truthOf } from './truth.ts'

const TRUTH = join(import.meta.dirname, 'truth.yaml')
const NOW = new Date('2026-11-29T12:00:00Z')

/** Crawls the files of the cases in `folder` as their commands say: one verdict for each file, and none without the folder. */
export async function judgeCases(folder: string, report: (verdict: Verdict) => void): Promise<readonly Verdict[]> {
  if (!existsSync(folder)) {
    return await runJudges([{ name: 'cases', run: async () => skipped(`${folder}: no such folder`) }], report)
  }
  const truths = readTruth(TRUTH)
  const judges = readCases(folder).map((one) => ({
    name: `${one.case} ${one.file}`,
    run: async () => judgeFile(one, truthOf(truths, one)),
  }))
  return await runJudges(judges, report)
}

async function judgeFile(one: CaseFile, truth: Truth | undefined) {
  if (truth === undefined) return skipped('no truth of it in infra/judge/cases/truth.yaml')
  const { verdict, says } = compare(truth, await readCase(one))
  return verdict === 'wrong' ? failed(`wrong: ${says}`, '') : passed(`${verdict}: ${says}`)
}

/** What a crawl makes of a file: nothing is kept. */
export async function readCase({ path, options }: Pick<CaseFile, 'path' | 'options'>): Promise<Found> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'judge-cases-'))
  const { log, observations, parked } = openListedLog()
  const [report] = await crawl([{ path, options }], {
    log,
    now: () => NOW,
    newCrawlId: () => 'judged',
    spoolDir: folder.path,
    registeredSources: async () => new Set(),
  })
  return { observations: observations(), parked: parked(), problems: report?.problems ?? [] }
}
