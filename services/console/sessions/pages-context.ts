import type { AttemptLimits } from '@catalog/console/pages/attempt-limits.ts'
import type { ConsoleContext } from '@catalog/console/pages/context.ts'
import type { Passwords } from './password.ts'

/** The console's context with the services of page routes: limits on guessing, and password hashing. */
export type PagesContext = ConsoleContext & Readonly<{ attemptLimits: AttemptLimits; passwords: Passwords }>
