import { setTimeout as delay } from 'node:timers/promises'

/** `said` adds to the error what the processes printed. */
export type UntilOptions = Readonly<{ timeoutMs: number; pollMs: number; said?: () => string }>

/** Resolves when the condition holds. Throws after the limit, and names what it expected. */
export async function untilHolds(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { timeoutMs, pollMs, said = () => '' }: UntilOptions,
): Promise<void> {
  for (const deadlineMs = performance.now() + timeoutMs; !(await holds()); await delay(pollMs)) {
    if (performance.now() > deadlineMs) throw new Error(`expected within ${timeoutMs / 1000} s: ${what}${said()}`)
  }
}
