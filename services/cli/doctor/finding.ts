import { failureOf } from '@catalog/cli/shared/failure.ts'

/** What one check of `catalog doctor` found, and what to do about it. */
export type Finding = Readonly<{
  check: string
  /** A warning may be meant so; an error costs data, readers or a night. */
  state: 'ok' | 'warning' | 'error'
  found: string
  /** Null where all is well. */
  remedy: string | null
}>

export const fine = (check: string, found: string): Finding => ({ check, state: 'ok', found, remedy: null })

export const bad = (
  check: string,
  state: 'warning' | 'error',
  { found, remedy }: Pick<Finding, 'found'> & { remedy: string },
): Finding => ({ check, state, found, remedy })

/** The findings of checks, made one after the other. */
export async function inTurn(checks: readonly (() => Promise<readonly Finding[]>)[]): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for (const check of checks) found.push(...(await check()))
  return found
}

/**
 * The findings of a check; where it cannot be made, that is the finding. The remedy of a full disk or a read-only database
 * stands before the check's own.
 */
export async function attempt(
  check: string,
  remedy: string | ((error: unknown) => string),
  look: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat()
  } catch (error) {
    const { details, causes } = failureOf(error)
    // Some messages quote their cause.
    const others = causes.filter((cause) => !details.includes(cause))
    const found = others.length > 0 ? `${details} (${others.join('; ')})` : details
    return [bad(check, 'error', { found, remedy: typeof remedy === 'string' ? remedy : remedy(error) })]
  }
}
