import { type DiffFlags, diffRuns, MIN_PERCENT } from '@catalog/cli/diff/diff.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

export function addDiff(program: Command): void {
  program
    .command('diff')
    .description('show which items and prices changed between two runs, and which votes explain it')
    .argument('[from]', 'id of the earlier run (default: the last finished run but one)')
    .argument('[to]', 'id of the later run (default: the last finished run)')
    .option('--region <code>', 'only the medians of this market')
    .option('--item <id>', 'only this item')
    .option('--min-percent <n>', 'only prices that moved by this much', MIN_PERCENT)
    .option('--limit <n>', 'items to show, the largest moves first', '50')
    .option('--csv <file>', 'also write all changes, a line for each price')
    .option('--html <file>', 'also write the shown changes as one page')
    .addHelpText(
      'after',
      `
Both runs are computed again from the facts that they read, so any two finished runs compare.

Examples:
  catalog diff
  catalog diff run_20261101020000_0123456789 --region ES --min-percent 10
  catalog diff RUN_A RUN_B --csv changes.csv --html changes.html`,
    )
    .action(
      withCatalog(({ catalog, terminal, signal }, from: string | undefined, to: string | undefined, flags: DiffFlags) =>
        diffRuns(catalog, terminal, { runIds: [from, to].filter((id) => id !== undefined), flags, signal }),
      ),
    )
}
