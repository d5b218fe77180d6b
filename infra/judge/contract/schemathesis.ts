import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { python, runTool, type ToolResult } from '@catalog/judge/harness/tools.ts'

export type SchemathesisRun = Readonly<{
  /** Address of the API with its /v1. */
  address: string
  /** A file with its OpenAPI document. */
  documentFile: string
  /** Requests at most that are made up for an operation, in each of its phases. */
  examplesMax: number
  /** The key that is sent with every request; null: none. */
  key: string | null
  /** Names of the operations that are left out, or that alone are tried. */
  except?: readonly string[]
  only?: readonly string[]
  /** The same made-up requests every time; absent: others every time. */
  seed?: number
  /** For its files. */
  folder: string
  timeoutMs: number
}>

export type SchemathesisReport = Readonly<{
  operations: number
  requests: number
  faults: number
  /** What the tool says of them, each with a line of curl. */
  output: string
}>

const CONFIG = join(import.meta.dirname, 'schemathesis.toml')
const HOOKS = join(import.meta.dirname, 'requests.py')

/**
 * Makes up requests from the document, good and bad ones, and holds every answer against it: no 5xx, no status, type,
 * header or body that is not described, nothing bad accepted and nothing good refused. Throws when it could not do that
 * for every operation.
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
  // It ends with 1 when it found faults.
  if (answer.code !== 0 && answer.code !== 1) throw new Error(`${how(answer, run)}: ${answer.stdout}${answer.stderr}`)
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report
  const { selected, tested } = report.operations
  if (!report.complete || tested === 0 || tested !== selected || report.errors.length > 0) {
    throw new Error(`tried ${tested} of ${selected} operations: ${answer.stdout}${answer.stderr}`)
  }
  const { generated, unique_failures } = report.test_cases
  return { operations: tested, requests: generated, faults: unique_failures, output: failures(answer.stdout) }
}

/** From its first fault on; all when it found none. */
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
