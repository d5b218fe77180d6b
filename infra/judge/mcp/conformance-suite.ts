import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmPrograms, runTool, type ToolResult } from '@catalog/judge/harness/tools.ts'
import { failed, passed } from '@catalog/judge/harness/verdict.ts'

/** The official conformance suite, run against one MCP endpoint, and the verdict on its results. */

export const REVISIONS = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof REVISIONS)[number]

/** The results of one scenario. */
export type ScenarioRun = Readonly<{ scenario: string; checks: readonly Check[] }>
export type Check = Readonly<{ id: string; status: string; errorMessage?: string; details?: unknown }>

/** An expected failure of one check, or of a whole scenario (`check` undefined), with its reason. */
export type ExpectedFailure = Readonly<{ scenario: string; check?: string; reason: string }>

const SUITE_TIMEOUT_MS = 300_000

/** Runs all server scenarios of a revision, optional ones too. */
export async function judgeConformance({
  url,
  revision,
  folder,
}: {
  url: string
  revision: Revision
  /** Folder for the suite's files. */
  folder: string
}) {
  const suite = async (...args: readonly string[]): Promise<ToolResult> =>
    await runTool(join(await npmPrograms(), 'conformance'), args, { cwd: folder, timeoutMs: SUITE_TIMEOUT_MS })
  const file = join(import.meta.dirname, 'conformance.yml')
  const results = join(folder, `conformance-${revision}`)
  const options = ['--requirements', revision, '--expected-failures', file, '--output-dir', results]
  const [list, { code, stdout, stderr }] = await Promise.all([
    suite('list', '--requirements', revision),
    suite('server', '--url', url, ...options),
  ])
  const listed = parseServerScenarios(list.stdout)
  const expected = parseExpectedFailures(readFileSync(file, 'utf8')).filter(({ scenario }) => listed.includes(scenario))
  const outcome = conclude({ listed, expected, ran: code === null ? [] : readRuns(results, 'server') })
  if (outcome.verdict === 'passed' && code !== 0) return failed('the suite itself disagrees', stdout + stderr)
  return outcome
}

/** Parses the server scenarios that `conformance list --requirements` prints. */
export function parseServerScenarios(list: string): readonly string[] {
  const [, required = ''] = /^Server scenarios.*:\n((?: {2}- .*\n)*)/m.exec(list) ?? []
  const beside = list.matchAll(/^ {4}- (\S+) \[server\]$/gm)
  const names = [...required.matchAll(/^ {2}- (\S+)$/gm), ...beside].map(([, name]) => name as string)
  if (names.length === 0) throw new Error(`the suite lists no scenario for servers: ${list.slice(0, 200)}`)
  return names
}

/** Parses the suite's own format; we also require a reason for each entry. */
export function parseExpectedFailures(file: string): readonly ExpectedFailure[] {
  const lines = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const [head, ...entries] = lines
  if (head !== 'server:' && head !== 'server: []') throw new Error(`expected failures: expected server:, found ${head}`)
  return entries.map((line) => {
    const [, scenario, check, reason] = /^ {2}- ([^\s:]+)(?::(\S+))? # (.+)$/.exec(line) ?? []
    if (scenario === undefined || reason === undefined) {
      throw new Error(`expected failures: expected "  - scenario[:check] # reason", found ${line}`)
    }
    return { scenario, ...(check !== undefined && { check }), reason }
  })
}

/**
 * Reads the suite's results: a folder for each scenario, named after it and the time, and empty when the suite gave up.
 */
export function readRuns(results: string, serverKind: 'server' | 'authorization-server'): readonly ScenarioRun[] {
  const names = readdirSync(results).filter((name) => existsSync(join(results, name, CHECKS)))
  return names.map((name) => {
    const scenario = name.slice(`${serverKind}-`.length).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    return { scenario, checks: JSON.parse(readFileSync(join(results, name, CHECKS), 'utf8')) as Check[] }
  })
}
const CHECKS = 'checks.json'

/**
 * Requires that every scenario ran, that only expected checks failed, and that no expected failure passed. A warning of
 * the suite counts as a failure.
 */
export function conclude({
  listed,
  ran,
  expected,
}: {
  listed: readonly string[]
  ran: readonly ScenarioRun[]
  expected: readonly ExpectedFailure[]
}) {
  const faults: string[] = []
  const counts = { passed: 0, 'failed as expected': 0, 'with nothing to check': 0, checks: 0 }
  for (const scenario of listed) {
    const checks = ran.find((one) => one.scenario === scenario)?.checks
    if (checks === undefined || checks.length === 0) {
      faults.push(`${scenario}: did not run`)
      continue
    }
    const mine = expected.filter((one) => one.scenario === scenario)
    const isExpected = ({ id }: Check) => mine.some(({ check }) => check === undefined || check === id)
    const failing = checks.filter(({ status }) => FAILING.has(status))
    const unexpected = failing.filter((check) => !isExpected(check))
    // A check that did not run proves nothing.
    const stale = mine.filter(({ check }) =>
      check === undefined
        ? failing.length === 0
        : checks.some(({ id, status }) => id === check && status === 'SUCCESS') &&
          !failing.some(({ id }) => id === check),
    )
    for (const { id, errorMessage = '' } of unexpected) faults.push(`${scenario}:${id}: ${errorMessage}`)
    for (const { check = 'all of it' } of stale) faults.push(`${scenario}: passes (${check}), and is expected to fail`)
    const succeeded = checks.filter(({ status }) => status === 'SUCCESS').length
    counts.checks += succeeded
    if (unexpected.length > 0 || stale.length > 0) continue
    counts[failing.length > 0 ? 'failed as expected' : succeeded > 0 ? 'passed' : 'with nothing to check']++
  }
  const { checks, ...scenarios } = counts
  const summary = Object.entries(scenarios).flatMap(([how, count]) => (count === 0 ? [] : [`${count} ${how}`]))
  const says = `of ${listed.length} scenarios ${summary.join(', ') || 'none as it should'}; ${checks} checks passed`
  return faults.length === 0 ? passed(says) : failed(`${says}; ${faults.length} faults`, faults.join('\n'))
}
const FAILING: ReadonlySet<string> = new Set(['FAILURE', 'WARNING'])
