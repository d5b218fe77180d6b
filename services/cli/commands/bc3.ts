import { priceBill } from '@catalog/cli/bc3/price.ts'
import { readBc3Files } from '@catalog/cli/bc3/read.ts'
import { WRITE_CHARSETS, writePriceBook } from '@catalog/cli/bc3/write.ts'
import { reporting, withCatalog } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

export function addBc3(program: Command): void {
  const bc3 = program.command('bc3').description('FIEBDC-3 files: their content, and whether their prices add up')
  addRead(bc3)
  addPrice(bc3)
  addWrite(bc3)
}

function addRead(bc3: Command): void {
  bc3
    .command('read')
    .description('concepts, recipes, charset and diagnostics of files, and which recipes give the declared prices')
    .argument('<file...>', 'FIEBDC-3, in any charset; several give one line each')
    .addHelpText(
      'after',
      `
A recipe reconciles when its components' declared prices give its own, within one unit of the last decimal, by the rule
that fits most recipes of the file. Misses are recipes that do not reconcile, and all concepts above them (chapters too)
whose price moves.

Examples:
  catalog bc3 read work.bc3
  catalog bc3 read banks/*.bc3
  catalog bc3 read work.bc3 --json | jq '.misses'`,
    )
    .action((paths: string[], _flags: object, command: Command) =>
      reporting(command, (_shared, terminal) => readBc3Files(terminal, paths)),
    )
}

function addPrice(bc3: Command): void {
  bc3
    .command('price')
    .description('a measured work at today’s medians: per line declared, now, difference, and how the price was found')
    .argument('<file>', 'FIEBDC-3 with chapters or measurements')
    .option('--region <code>', 'only items that are sold there, at its medians (default: the market of the currency)')
    .option('--price-region <code>', 'price the items by the median of this region')
    .option('--source <name>', 'the source of the crawled price bank of this file (default: the name of the file)')
    .option('--format <format>', 'table, csv, bc3 or json', 'table')
    .option('--out <file>', 'write to this file; needed for bc3')
    .addHelpText(
      'after',
      `
Examples:
  catalog bc3 price work.bc3 --region ES
  catalog bc3 price work.bc3 --format csv --out priced.csv
  catalog bc3 price work.bc3 --format bc3 --out today.bc3
  catalog bc3 price work.bc3 --json | jq '.totals'`,
    )
    .action(withCatalog(priceBill))
}

function addWrite(bc3: Command): void {
  bc3
    .command('write')
    .description('write an item, a category or the whole catalog as a FIEBDC-3/2020 price book')
    .argument('[id]', 'of an item, or of a category with all below it')
    .option('--all', 'the whole catalog')
    .requiredOption('--out <file>', 'the file to write')
    .option('--charset <name>', `one of ${WRITE_CHARSETS.join(', ')}; replaces and counts what it lacks`, 'ANSI')
    .option('--region <code>', 'of an item: prices of this region, and its recipes first')
    .option('--source <id>', 'of an item: the recipe of this source')
    .action(withCatalog(writePriceBook))
}
