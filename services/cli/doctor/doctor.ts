import { failureOf } from '@catalog/cli/shared/failure.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { NewerSchema } from '@catalog/store/migrations/migrate.ts'
import { catalogChecks } from './catalog-checks.ts'
import { attempt, type Finding } from './finding.ts'
import { FOLDER, hostChecks } from './host-checks.ts'
import { sourcesChecks } from './sources-checks.ts'

/**
 * `catalog doctor`: looks at the machine, the environment and every part, and says of each finding what to do. A part that
 * is away keeps no other check from being made. Returns false where something is an error.
 */
export async function doctor(env: Environment, terminal: Terminal): Promise<boolean> {
  const host = await hostChecks(env, new Date())
  // An embedded store opens only in a folder that is in order.
  const isClosed =
    env.DATABASE_URL === undefined && host.some(({ check, state }) => check === FOLDER && state === 'error')
  const findings: readonly Finding[] = [
    ...host,
    ...(await sourcesChecks(env)),
    ...(isClosed
      ? []
      : await attempt('catalog', openingRemedy(env), async () => {
          await using catalog = await openCatalog(env)
          return await catalogChecks(catalog)
        })),
  ]
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const isHealthy = count('error') === 0
  terminal.answer({ ok: isHealthy, findings }, () =>
    [
      ...findings.flatMap(({ check, state, found, remedy }) => [
        `${MARKS[state]} ${check}: ${found}`,
        ...(remedy === null ? [] : [`    ${remedy}`]),
      ]),
      '',
      `${findings.length} checks: ${count('error')} errors, ${count('warning')} warnings`,
    ].join('\n'),
  )
  return isHealthy
}

/** What to do about a catalog that does not open. */
const openingRemedy =
  ({ DATABASE_URL: url }: Environment) =>
  (error: unknown): string => {
    if (error instanceof NewerSchema) return 'docs/upgrade.md and docs/backup.md say how'
    const { code } = failureOf(error)
    if (code === 'DiskFull') return 'make room, or move the data: docs/capacity.md says what grows'
    if (code === 'ReadOnly') return 'name the primary server in DATABASE_URL'
    return url === undefined
      ? 'stop the process that has the data folder open; a damaged folder comes back from a backup: docs/backup.md'
      : 'see that the database of DATABASE_URL runs, and lets this user in'
  }

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: '  ok   ', warning: '  WARN ', error: '  ERROR' }
