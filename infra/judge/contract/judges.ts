import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BASELINE,
  CLIENT_TYPES,
  clientTypesHeader,
  contractText,
  type OpenApi,
  RENEW,
} from '@catalog/judge/harness/document.ts'
import type { Judged } from '@catalog/judge/harness/system-under-test.ts'
import { type Ended, ended, npmPrograms, oasdiffAvailable, pythonAvailable } from '@catalog/judge/harness/tools.ts'
import createClient from 'openapi-fetch'
import type { paths } from '../../../docs/client/api.d.ts'
import { breaks } from './breaking.ts'
import { type Caller, callersOf } from './callers.ts'
import { tryOut } from './schemathesis.ts'
import { ADDITION_SEEDS, BREAKING_SEEDS } from './mutations.ts'
import { walk } from './walk.ts'

export type Verdict = Readonly<{
  judge: string
  /** Skipped: this machine cannot have the judge. */
  verdict: 'passed' | 'failed' | 'skipped'
  /** One line. */
  says: string
  /** What a person needs to mend it; empty when it passed. */
  details: string
  seconds: number
}>
export type Judge = Readonly<{ name: string; judge: () => Promise<Omit<Verdict, 'judge' | 'seconds'>> }>

/** Lines of a tool that show what is wrong; a document that breaks a rule everywhere breaks it a hundred times. */
const DETAIL_CHARS_MAX = 6_000
const LINT_TIMEOUT_MS = 120_000
const EXAMPLES_MAX = 200
/** 200 examples of ten operations take 45 s on two idle cores. */
const TRY_TIMEOUT_MS = 900_000

/** Every judge of the contract. */
export async function judgeContract(judged: Judged, tell: (verdict: Verdict) => void): Promise<readonly Verdict[]> {
  const judges: Judge[] = [
    { name: 'spectral', judge: () => spectral(judged) },
    { name: 'redocly', judge: () => redocly(judged) },
    { name: 'typed client', judge: () => typedClient(judged) },
    { name: 'breaking changes', judge: () => breakingChanges(judged) },
    ...(await callersOf(judged)).map((caller) => ({
      name: `schemathesis, ${caller.name}`,
      judge: () => requests(judged, caller),
    })),
  ]
  return await askAll(judges, tell)
}

/** Asks one judge after the other, and tells each verdict as it falls. */
export async function askAll(judges: readonly Judge[], tell: (verdict: Verdict) => void): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { name, judge } of judges) {
    const begun = performance.now()
    // A judge that cannot finish has not passed.
    const said = await judge().catch((error: unknown) => failed('could not judge', String(error)))
    const seconds = Math.round((performance.now() - begun) / 100) / 10
    const verdict = { judge: name, ...said, details: said.details.trim().slice(0, DETAIL_CHARS_MAX), seconds }
    tell(verdict)
    verdicts.push(verdict)
  }
  return verdicts
}

export const passed = (says: string) => ({ verdict: 'passed', says, details: '' }) as const
export const failed = (says: string, details: string) => ({ verdict: 'failed', says, details }) as const
export const skipped = (says: string) => ({ verdict: 'skipped', says, details: '' }) as const

/** The rules for OpenAPI documents of spectral:oas; a warning fails too. */
async function spectral({ documentFile, folder }: Judged) {
  const options = ['--ruleset', join(import.meta.dirname, 'spectral.yaml'), '--fail-severity', 'hint']
  const answer = await program('spectral', ['lint', documentFile, ...options], folder)
  return answer.code === 0
    ? passed('no error, no warning of spectral:oas')
    : failed('errors or warnings', answer.stdout + answer.stderr)
}

/** The recommended rules of Redocly; a warning fails too. */
async function redocly({ documentFile, folder }: Judged) {
  const options = ['--extends', 'recommended', '--format', 'json']
  const answer = await program('redocly', ['lint', documentFile, ...options], folder, {
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  })
  const { totals } = JSON.parse(answer.stdout) as { totals: { errors: number; warnings: number; ignored: number } }
  const { errors, warnings, ignored } = totals
  return answer.code === 0 && errors + warnings + ignored === 0
    ? passed('no error, no warning of its recommended rules')
    : failed(`${errors} errors, ${warnings} warnings`, answer.stdout + answer.stderr)
}

/** The committed types are those of the served document, strict TypeScript takes them, and a reader gets by with them. */
async function typedClient({ document, address, folder }: Judged) {
  const types = await clientTypes(document, { folder })
  if (types !== readFileSync(CLIENT_TYPES, 'utf8')) {
    return failed(`the client types are stale: ${RENEW}`, '')
  }
  const checked = await program('tsc', ['--project', join(import.meta.dirname, 'client.tsconfig.json')], folder)
  if (checked.code !== 0) return failed('tsc --strict refuses the client', checked.stdout + checked.stderr)
  const walked = await walk(createClient<paths>({ baseUrl: address }))
  const { items, pages, details, found, categories } = walked
  if (Math.min(items, found, categories) === 0) return failed('the walk found nothing', JSON.stringify(walked))
  return passed(`${items} items on ${pages} pages, ${details} details, ${found} hits, ${categories} categories`)
}

/** Types of the document as openapi-typescript makes them. */
export async function clientTypes(document: OpenApi, { folder }: { folder: string }): Promise<string> {
  const text = contractText(document)
  const file = join(folder, 'contract.json')
  writeFileSync(file, text)
  const answer = await program('openapi-typescript', [file], folder)
  if (answer.code !== 0) throw new Error(`openapi-typescript ended with ${answer.code}: ${answer.stderr}`)
  // Our first lines in the place of the tool's.
  return clientTypesHeader(text) + answer.stdout.replace(/^\/\*\*.*?\*\/\n/s, '')
}

/** Nothing that the baseline promises is gone, and the comparison notices what is planted in it. */
async function breakingChanges({ document, folder }: Judged) {
  const reason = await oasdiffAvailable()
  if (reason !== null) return skipped(reason)
  const compare = (base: OpenApi, revision: OpenApi) => breaks({ base, revision }, { folder })
  const present = JSON.parse(contractText(document)) as OpenApi
  const baseline = JSON.parse(readFileSync(BASELINE, 'utf8')) as OpenApi
  const broken = await compare(baseline, present)
  if (broken.length > 0) return failed(`${broken.length} breaking changes since the baseline`, broken.join('\n'))
  const planted = async (change: (document: OpenApi) => void) => {
    const changed = structuredClone(present)
    change(changed)
    return await compare(present, changed)
  }
  for (const { name, change } of BREAKING_SEEDS) {
    if ((await planted(change)).length === 0) return failed(`the check is blind: it passes when ${name}`, '')
  }
  for (const { name, change } of ADDITION_SEEDS) {
    const wrongly = await planted(change)
    if (wrongly.length > 0) return failed(`the check is wrong: it refuses when ${name}`, wrongly.join('\n'))
  }
  return passed(
    `none since the baseline; of ${BREAKING_SEEDS.length} planted ones all are refused, of ${ADDITION_SEEDS.length} additions none`,
  )
}

async function requests({ address, documentFile, folder }: Judged, caller: Caller) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const files = { address, documentFile, folder }
  const bounds = { examplesMax: EXAMPLES_MAX, timeoutMs: TRY_TIMEOUT_MS }
  const found = await tryOut({ ...files, ...bounds, ...caller })
  const said = `${found.requests} requests to ${found.operations} operations, ${found.faults} faults`
  return found.faults === 0 ? passed(said) : failed(said, found.output)
}

/** Runs a program that npm brings. */
async function program(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return await ended(join(await npmPrograms(), name), args, { cwd, timeoutMs: LINT_TIMEOUT_MS, env })
}
