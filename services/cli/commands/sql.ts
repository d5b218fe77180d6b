import { withCatalog } from '@catalog/cli/shared/context.ts'
import { type SqlFlags, sql } from '@catalog/cli/sql/sql.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'

const ROWS_MAX = 100_000_000
const DAY_SECONDS = 86_400

export function addSql(program: Command): void {
  program
    .command('sql')
    .description('query the catalog in SQL, read-only; without a query it opens a shell (psql where installed)')
    .argument('[query]', 'over the views that --views lists; otherwise read from a pipe')
    .addOption(new Option('--format <format>', 'how to show rows').choices(['table', 'csv', 'json']))
    .option('--limit <n>', 'rows at most (default: 1000)', upTo(ROWS_MAX))
    .option(
      '--timeout <seconds>',
      'cancel a query after this (default: 60; the embedded store cannot)',
      upTo(DAY_SECONDS),
    )
    .option('--views', 'list the views with every column')
    .option('--grant <role>', 'create a database role that may read the views and nothing else')
    .action(
      withCatalog(async ({ catalog, env, terminal }, query: string | undefined, flags: SqlFlags) => {
        const write = (text: string) => void process.stdout.write(text)
        if (!(await sql({ catalog, env, terminal, write, stdin: process.stdin }, query, flags))) process.exitCode = 1
      }),
    )
}

const upTo = (max: number) => (text: string) => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new InvalidArgumentError(`expected a whole number from 1 to ${max}`)
}
