import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgePythonClient } from '@catalog/judge/clients/python-client.ts'
import { BASELINE, CLIENTS, contractText, type OpenApi, RENEW } from '@catalog/judge/harness/document.ts'
import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import {
  npmPrograms,
  oasdiffAvailable,
  pythonAvailable,
  runTool,
  type ToolResult,
} from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import createClient from 'openapi-fetch'
import type { paths } from '../../../clients/typescript/api.ts'
import { findBreakingChanges } from './breaking.ts'
import { type Caller, callersOf } from './callers.ts'
import { MUTATIONS, mutated } from './mutations.ts'
import { runSchemathesis } from './schemathesis.ts'
import { walk } from './walk.ts'

const LINT_TIMEOUT_MS = 120_000
const EXAMPLES_MAX = 200
/** 200 examples of ten operations take 45 s on two idle cores. */
const TRY_TIMEOUT_MS = 900_000

/** Runs every judge of the contract. */
export async function judgeContract(
  system: SystemUnderTest,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const judges: Judge[] = [
    { name: 'spectral', run: () => judgeSpectral(system) },
    { name: 'redocly', run: () => judgeRedocly(system) },
    { name: 'typed client', run: () => judgeTypedClient(system) },
    { name: 'client in Python', run: judgePythonClient },
    { name: 'breaking changes', run: () => judgeBreakingChanges(system) },
    ...(await callersOf(system)).map((caller) => ({
      name: `schemathesis, ${caller.name}`,
      run: () => judgeRequests(system, caller),
    })),
  ]
  return await runJudges(judges, report)
}

/** Checks the rules of spectral:oas; warnings fail too. */
async function judgeSpectral({ documentFile, folder }: SystemUnderTest) {
  const options = ['--ruleset', join(import.meta.dirname, 'spectral.yaml'), '--fail-severity', 'hint']
  const answer = await runProgram('spectral', ['lint', documentFile, ...options], folder)
  return answer.code === 0
    ? passed('no error, no warning of spectral:oas')
    : failed('errors or warnings', answer.stdout + answer.stderr)
}

/** Checks Redocly's recommended rules; warnings fail too. */
async function judgeRedocly({ documentFile, folder }: SystemUnderTest) {
  const options = ['--extends', 'recommended', '--format', 'json']
  const answer = await runProgram('redocly', ['lint', documentFile, ...options], folder, {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  })
  const { totals } = JSON.parse(answer.stdout) as { totals: { errors: number; warnings: number; ignored: number } }
  const { errors, warnings, ignored } = totals
  return answer.code === 0 && errors + warnings + ignored === 0
    ? passed('no error, no warning of its recommended rules')
    : failed(`${errors} errors, ${warnings} warnings`, answer.stdout + answer.stderr)
}

/** The baseline is the served document, its types compile in strict TypeScript, and they suffice for a client. */
async function judgeTypedClient({ document, address, folder }: SystemUnderTest) {
  if (contractText(document) !== readFileSync(BASELINE, 'utf8')) return failed(`the baseline is stale: ${RENEW}`, '')
  const made = await runTool('npm', ['run', 'types'], { cwd: join(CLIENTS, 'typescript'), timeoutMs: LINT_TIMEOUT_MS })
  if (made.code !== 0) return failed('openapi-typescript refuses the document', made.stdout + made.stderr)
  const checked = await runProgram('tsc', ['--project', join(import.meta.dirname, 'client.tsconfig.json')], folder)
  if (checked.code !== 0) return failed('tsc --strict refuses the client', checked.stdout + checked.stderr)
  const walkReport = await walk(createClient<paths>({ baseUrl: address }))
  const { items, pages, details, found, categories } = walkReport
  if (Math.min(items, found, categories) === 0) return failed('the walk found nothing', JSON.stringify(walkReport))
  return passed(`${items} items on ${pages} pages, ${details} details, ${found} hits, ${categories} categories`)
}

/** Compares the document with the baseline, and checks that the comparison notices mutations. */
async function judgeBreakingChanges({ document, folder }: SystemUnderTest) {
  const reason = await oasdiffAvailable()
  if (reason !== null) return skipped(reason)
  const compare = (base: OpenApi, revision: OpenApi) => findBreakingChanges({ base, revision }, { folder })
  const currentDocument = JSON.parse(contractText(document)) as OpenApi
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as OpenApi
  const broken = await compare(baseline, currentDocument)
  if (broken.length > 0) return failed(`${broken.length} breaking changes since the baseline`, broken.join('\n'))
  const { breaking, additive } = MUTATIONS
  for (const mutation of breaking) {
    const found = await compare(currentDocument, mutated(currentDocument, mutation))
    if (found.length === 0) return failed(`the check is blind: it passes when ${mutation.name}`, '')
  }
  for (const mutation of additive) {
    const wrongly = await compare(currentDocument, mutated(currentDocument, mutation))
    if (wrongly.length > 0) return failed(`the check is wrong: it refuses when ${mutation.name}`, wrongly.join('\n'))
  }
  return passed(
    `none since the baseline; of ${breaking.length} planted ones all are refused, of ${additive.length} additions none`,
  )
}

async function judgeRequests({ address, documentFile, folder }: SystemUnderTest, caller: Caller) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const files = { address, documentFile, folder }
  const bounds = { examplesMax: EXAMPLES_MAX, timeoutMs: TRY_TIMEOUT_MS }
  const found = await runSchemathesis({ ...files, ...bounds, ...caller })
  const outcome = `${found.requests} requests to ${found.operations} operations, ${found.faults} faults`
  return found.faults === 0 ? passed(outcome) : failed(outcome, found.output)
}

/** Runs a program of the npm installation. */
async function runProgram(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ToolResult> {
  return await runTool(join(await npmPrograms(), name), args, { cwd, timeoutMs: LINT_TIMEOUT_MS, env })
}
