import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { catalogChecks } from './catalog-checks.ts'
import { attempt, type Finding } from './finding.ts'
import { hostChecks } from './host-checks.ts'

/**
 * `catalog doctor`: looks at the machine, the environment and every part, and says of each finding what to do. A part that
 * is away keeps no other check from being made. Returns false where something is an error.
 */
export async function doctor(env: Environment, terminal: Terminal): Promise<boolean> {
  const remedy = 'see that the database of DATABASE_URL runs, or stop the process that has the data folder open'
  const findings: readonly Finding[] = [
    ...(await hostChecks(env, new Date())),
    ...(await attempt('catalog', remedy, async () => {
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

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: '  ok   ', warning: '  WARN ', error: '  ERROR' }
