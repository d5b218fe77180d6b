import { withCatalog } from '@catalog/cli/shared/context.ts'
import { type SqlFlags, sql } from '@catalog/cli/sql/sql.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = {
  sql: withCatalog(async ({ catalog, terminal }, query: string | undefined, flags: SqlFlags) => {
    const write = (text: string) => void process.stdout.write(text)
    if (!(await sql({ catalog, terminal, write, stdin: process.stdin }, query, flags))) process.exitCode = 1
  }),
}
