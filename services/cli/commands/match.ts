import { matchFile } from '@catalog/cli/match/match.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

export function addMatch(program: Command): void {
  program
    .command('match')
    .description('find the items that the lines of a bill of materials mean, and what they cost')
    .argument('<file>', 'CSV or XLSX with a heading row')
    .option('--region <code>', 'only items that are sold there, at its medians')
    .option(
      '--price-region <code>',
      'price the items by the median of this region (default: the region of the line, or --region)',
    )
    .option('--column <heading>', 'of the text, where its heading is not a usual one')
    .option('--unit-column <heading>', 'of the unit')
    .option('--quantity-column <heading>', 'of the quantity')
    .option('--region-column <heading>', 'of the region of each line')
    .option('--format <format>', 'csv or xlsx (default: by the name of the file)')
    .option('--alternatives <n>', 'how many other items to show for a line, 0 to 10')
    .option(
      '--out <file>',
      'write the answers too: .csv, or for an XLSX list .xlsx, a copy with added columns that keeps its formulas',
    )
    .option(
      '--corrections <file>',
      'CSV or XLSX with text, item_id ("none" for nothing of the catalog), unit and region: used first; what --out wrote, filled in, serves',
    )
    .option('--workspace <workspace>', 'use its saved corrections first, and save those of --corrections for it')
    .action(withCatalog(matchFile))
}
