import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { python, runTool, type ToolResult } from '@catalog/judge/harness/tools.ts'

export type SchemathesisRun = Readonly<{
  /** Address of the API with its /v1. */
  address: string
  /** File with the OpenAPI document. */
  documentFile: string
  /** Most generated requests for an operation in each phase. */
  examplesMax: number
  /** Key sent with every request; null for none. */
  key: string | null
  /** Operation ids to leave out, or the only ones to try. */
  except?: readonly string[]
  only?: readonly string[]
  /** Fixes the generated requests; random when absent. */
  seed?: number
  /** Folder for its files. */
  folder: string
  timeoutMs: number
}>

export type SchemathesisReport = Readonly<{
  operations: number
  requests: number
  faults: number
  /** The tool's report, with a curl command for each failure. */
  output: string
}>

const CONFIG = join(import.meta.dirname, 'schemathesis.toml')
const HOOKS = join(import.meta.dirname, 'requests.py')

/**
 * Generates valid and invalid requests from the document and checks every answer. It accepts no 5xx, no undescribed
 * status, type, header or body, no accepted invalid request and no refused valid one. Throws when it could not test
 * every operation.
 */
export async function runSchemathesis(run: SchemathesisRun): Promise<SchemathesisReport> {
  const reportFile = join(run.folder, 'schemathesis.json')
  const filters = [
    ...(run.except ?? []).flatMap((name) => ['--exclude-operation-id', name]),
    ...(run.only ?? []).flatMap((name) => ['--include-operation-id', name]),
  ]
  const options = [
    '--url',
    run.address,
    '--checks',
    'all',
    '--max-examples',
    String(run.examplesMax),
    '--workers',
    '1',
    ...(run.key === null ? [] : ['--header', `Authorization: Bearer ${run.key}`]),
    ...(run.seed === undefined ? [] : ['--seed', String(run.seed)]),
    '--report',
    'json',
    '--report-json-path',
    reportFile,
    '--no-color',
    '--generation-database',
    'none',
    ...filters,
  ]
  const command = ['-m', 'schemathesis.cli', '--config-file', CONFIG, 'run', run.documentFile, ...options]
  const answer = await runTool(await python(), command, {
    cwd: run.folder,
    timeoutMs: run.timeoutMs,
    env: { SCHEMATHESIS_HOOKS: HOOKS, PYTHONDONTWRITEBYTECODE: '1' },
  })
  // Exit status 1 means failures.
  if (answer.code !== 0 && answer.code !== 1) throw new Error(`${how(answer, run)}: ${answer.stdout}${answer.stderr}`)
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report
  const { selected, tested } = report.operations
  if (!report.complete || tested === 0 || tested !== selected || report.errors.length > 0) {
    throw new Error(`tried ${tested} of ${selected} operations: ${answer.stdout}${answer.stderr}`)
  }
  const { generated, unique_failures } = report.test_cases
  return { operations: tested, requests: generated, faults: unique_failures, output: failures(answer.stdout) }
}

/** The output from the first failure on; all of it without failures. */
function failures(stdout: string): string {
  return stdout.slice(Math.max(0, stdout.search(/^=+ (FAILURES|ERRORS) =+$/m)))
}

type Report = {
  complete: boolean
  operations: { selected: number; tested: number }
  test_cases: { generated: number; unique_failures: number }
  errors: unknown[]
}

function how({ code }: ToolResult, { timeoutMs }: SchemathesisRun): string {
  return code === null ? `schemathesis was not done after ${timeoutMs} ms` : `schemathesis ended with ${code}`
}
