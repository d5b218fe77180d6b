import { join } from 'node:path'
import { npmPrograms, runTool } from '@catalog/judge/harness/tools.ts'
import { failed } from '@catalog/judge/harness/verdict.ts'
import { freePort } from '@catalog/stack/servers/command.ts'
import { type Check, conclude, readRuns, type ScenarioRun } from './conformance-suite.ts'

/** The official conformance suite, run against the authorization server for each revision that it knows. */

/** A scenario for authorization servers with its revisions. */
export type ListedScenario = Readonly<{ scenario: string; revisions: readonly string[] }>

/** The suite itself would wait five minutes for a person. */
const AUTHORIZATION_TIMEOUT_MS = 60_000

export async function judgeAuthorization({
  issuer,
  resource,
  clientId,
  authorize,
  folder,
  revisions,
}: {
  issuer: string
  /** The MCP endpoint. */
  resource: string
  /** A client that accepts answers at /callback on any port of this machine. */
  clientId: string
  /** Opens the address as a consenting person; answers the final address. */
  authorize: (url: string) => Promise<string>
  /** Folder for the suite's files. */
  folder: string
  /** Limits the revisions; all that the suite knows when absent. */
  revisions?: readonly string[]
}) {
  const program = join(await npmPrograms(), 'conformance')
  const run = { cwd: folder, timeoutMs: AUTHORIZATION_TIMEOUT_MS }
  const all = parseScenarios((await runTool(program, ['list', '--authorization'], run)).stdout)
  const listed = all.map((one) => ({
    ...one,
    revisions: one.revisions.filter((name) => revisions?.includes(name) ?? true),
  }))
  const ran: ScenarioRun[] = []
  const complaints: string[] = []
  for (const revision of new Set(listed.flatMap(({ revisions }) => revisions))) {
    const results = join(folder, `authorization-${revision}`)
    const port = await freePort()
    const callback = `http://127.0.0.1:${port}/callback?`
    const onLine = async (line: string) => {
      if (!isAuthorizationRequest(line)) return undefined
      const back = await authorize(line)
      if (!back.startsWith(callback)) throw new Error(`the person was redirected to ${back}, expected ${callback}`)
      await fetch(back)
      return undefined
    }
    const args = ['--url', issuer, '--client-id', clientId, '--resource', resource, '-p', String(port)]
    const options = ['--spec-version', revision, '--output-dir', results]
    const { code, stdout, stderr } = await runTool(program, ['authorization', ...args, ...options], {
      ...run,
      hear: onLine,
    })
    if (code !== 0) complaints.push(`${revision}: ended with ${code}`, stdout + stderr)
    if (code === null) break
    const here = readRuns(results, 'authorization-server')
    ran.push(...here.map(({ scenario, checks }) => ({ scenario: nameOf(scenario, revision), checks })))
  }
  const outcome = concludeAll({ listed, ran, issuer })
  if (outcome.verdict === 'passed' && complaints.length > 0) {
    return failed('the suite itself disagrees', complaints.join('\n'))
  }
  return outcome
}

/** Whether the line is an address that a program prints for a person to open. */
export function isAuthorizationRequest(line: string): boolean {
  return URL.canParse(line) && new URL(line).searchParams.get('response_type') === 'code'
}

/** Parses the scenarios that `conformance list --authorization` prints. */
export function parseScenarios(list: string): readonly ListedScenario[] {
  const lines = [...list.matchAll(/^ {2}- (\S+) \[([\d,-]+)\]$/gm)]
  if (lines.length === 0) throw new Error(`the suite lists no scenario: ${list.slice(0, 200)}`)
  return lines.map(([, scenario, revisions]) => ({
    scenario: scenario as string,
    revisions: (revisions as string).split(','),
  }))
}

const nameOf = (scenario: string, revision: string) => `${revision} ${scenario}`

/** Requires every scenario to pass in every revision: no expected failures, none left out. */
export function concludeAll({
  listed,
  ran,
  issuer,
}: {
  listed: readonly ListedScenario[]
  /** Runs, each named by revision and scenario. */
  ran: readonly ScenarioRun[]
  issuer: string
}) {
  const wanted = listed.flatMap(({ scenario, revisions }) => revisions.map((revision) => nameOf(scenario, revision)))
  const strict = ran.map(({ scenario, checks }) => ({
    scenario,
    checks: [
      ...checks.map((check) => (check.status === 'SKIPPED' ? { ...check, status: 'FAILURE' } : check)),
      ...checks.flatMap((check) => issuerCheck(check, issuer)),
    ],
  }))
  return conclude({ listed: wanted, ran: strict, expected: [] })
}

/**
 * Requires answers to name the issuer (RFC 9207) and the metadata to announce that; the suite checks the name only when
 * present.
 */
function issuerCheck({ status, details }: Check, issuer: string): readonly Check[] {
  if (status !== 'SUCCESS') return []
  const { body, authorizationResponseUrl } = Object(details) as {
    body?: { issuer?: unknown; authorization_response_iss_parameter_supported?: unknown }
    authorizationResponseUrl?: string
  }
  const check = (id: string, found: unknown, expected: unknown): Check =>
    found === expected
      ? { id, status: 'SUCCESS' }
      : { id, status: 'FAILURE', errorMessage: `expected ${expected}, found ${found}` }
  if (authorizationResponseUrl !== undefined) {
    return [check('iss of the answer', new URL(authorizationResponseUrl).searchParams.get('iss'), issuer)]
  }
  if (body?.issuer === undefined) return []
  return [check('iss in the metadata', body.authorization_response_iss_parameter_supported, true)]
}
