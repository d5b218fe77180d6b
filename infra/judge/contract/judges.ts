import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgePythonClient } from '@catalog/judge/clients/python-client.ts'
import { BASELINE, contractText, type OpenApi } from '@catalog/judge/harness/document.ts'
import { developerKey, organizationKey } from '@catalog/judge/harness/keys.ts'
import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import {
  npmPrograms,
  oasdiffAvailable,
  pythonAvailable,
  runTool,
  type ToolResult,
} from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { findBreakingChanges } from './breaking.ts'
import { MUTATIONS, mutated } from './mutations.ts'
import { runSchemathesis, type SchemathesisRun } from './schemathesis.ts'

const LINT_TIMEOUT_MS = 120_000
const EXAMPLES_MAX = 200
/** 200 examples of ten operations take 45 s on two idle cores. */
const TRY_TIMEOUT_MS = 900_000
/** The operation ends its own key, so it runs last with a separate key. */
const REVOKING = ['revokeKey']

/** Runs every judge of the contract that is a tool of others. */
export async function judgeContract(
  system: SystemUnderTest,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const judges: Judge[] = [
    { name: 'spectral', run: () => judgeSpectral(system) },
    { name: 'redocly', run: () => judgeRedocly(system) },
    { name: 'client in Python', run: judgePythonClient },
    { name: 'breaking changes', run: () => judgeBreakingChanges(system) },
    ...(await callersOf(system)).map(({ name, ...caller }) => ({
      name: `schemathesis, ${name}`,
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

/** One caller of every kind, with new keys. */
async function callersOf(system: SystemUnderTest): Promise<readonly (Caller & { name: string })[]> {
  return [
    { name: 'anonymous', key: null },
    { name: 'public developer key', key: await developerKey(system), except: REVOKING },
    { name: 'organization key', key: await organizationKey(system) },
    { name: 'revoking its key', key: await developerKey(system), only: REVOKING },
  ]
}

type Caller = Pick<SchemathesisRun, 'key' | 'except' | 'only'>
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
