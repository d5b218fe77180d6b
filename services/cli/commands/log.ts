import { exportLog } from '@catalog/cli/log/export.ts'
import { importLog } from '@catalog/cli/log/import.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

export function addLog(program: Command): void {
  const log = program.command('log').description('the log as files, to carry it or a slice of it to another catalog')
  addExport(log)
  addImport(log)
}

function addExport(log: Command): void {
  log
    .command('export')
    .description('write the log, or a slice of it, as NDJSON: one line a record, and a manifest as the last line')
    .requiredOption('--out <file>', 'the file to write, or - for stdout')
    .option('--source <source>', 'a self-contained slice: what concerns this source, by id or name')
    .option('--from <instant>', 'what was recorded from this instant on, and what was decided before it')
    .option('--to <instant>', 'what was recorded before this instant')
    .addHelpText(
      'after',
      `
Matches, runs and items belong to one catalog, so a slice has none: the importing catalog makes its own in its next run.

Examples:
  catalog log export --out log.ndjson
  catalog log export --source "Materiales Norte" --from 2026-01-01 --out norte.ndjson
  catalog log export --out - | jq 'select(.topic == "vendor.observations") | .event.price.cents'`,
    )
    .action(withCatalog(exportLog))
}

function addImport(log: Command): void {
  log
    .command('import')
    .description('append what log files have and this log lacks; importing again changes nothing')
    .argument('<file...>', 'as catalog log export wrote them')
    .option('--dry-run', 'check the files, report what would be appended, and append nothing')
    .addHelpText(
      'after',
      `
A file of the whole log gives the same catalog, with matches, runs and items, when this one is empty or has only a beginning
of that log. Any other file adds facts and people's decisions on them; run catalog aggregate afterwards.

Examples:
  catalog log import log.ndjson --data ./copy && catalog verify --data ./copy
  catalog log import norte.ndjson sur.ndjson --dry-run`,
    )
    .action(withCatalog(importLog))
}
