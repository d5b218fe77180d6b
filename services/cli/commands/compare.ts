import { diffRuns, MIN_PERCENT } from '@catalog/cli/diff/diff.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import { answerWhatIf } from '@catalog/cli/what-if/what-if.ts'
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
    .addHelpText(
      'after',
      `
Both runs are computed again from the facts that they read, so any two finished runs compare.

Examples:
  catalog diff
  catalog diff run_20261101020000_0123456789 --region ES --min-percent 10
  catalog diff RUN_A RUN_B --csv changes.csv`,
    )
    .action(withCatalog(diffRuns))
}

export function addWhatIf(program: Command): void {
  program
    .command('what-if')
    .description('show what another pricing rule would change on the same facts; publish it only with --accept')
    .option('--as-of <instant>', 'compare with the present rule at this instant (default: with what is published)')
    .option('--without <source...>', 'as if these sources, by id or name, had no vote')
    .option('--with <source...>', 'as if these disabled sources voted again')
    .option('--trust <source=score...>', 'as if these sources had this trust, 0 to 100')
    .option('--method <name>', 'twm/1, twm/2, or a module of yours with a default export { name, price }')
    .option('--carry-forward <index>', 'as if older prices had moved with this official index (id, code or title)')
    .option('--top <n>', 'largest changes to show with the votes behind them', '20')
    .option('--format <format>', 'table, csv or json (default: by the name of --out, else table)')
    .option('--out <file>', 'write to this file; needed for csv')
    .option('--accept', 'publish exactly the difference that is shown; needs --reason, and no --as-of')
    .option('--reason <text>', 'why; kept with the decisions of --accept')
    .addHelpText(
      'after',
      `
A module runs with all rights of this process: name only code of your own.

Examples:
  catalog what-if --without "Materiales Norte"
  catalog what-if --trust "Materiales Norte=40" --as-of 2026-11-01 --out norte.json
  catalog what-if --method twm/2 --out changes.csv
  catalog what-if --carry-forward WPUSI012011
  catalog what-if --without "Materiales Norte" --accept --reason "prices of last year"`,
    )
    .action(withCatalog(answerWhatIf))
}
