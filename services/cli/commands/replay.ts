import { replayPart } from '@catalog/cli/replay/partial-replay.ts'
import { type ReplayFlags, replayCatalog } from '@catalog/cli/replay/replay.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

type PartFlags = { item?: readonly string[]; source?: string; from?: string; to?: string }

export function addReplay(program: Command): void {
  program
    .command('replay')
    .description('rebuild all read models from the log beside those that serve, compare them, and switch over')
    .option('--throttle <records>', 'a second at most; none for no limit')
    .option('--accept', 'switch over in spite of vendor-side differences, which a corrected reading of events makes')
    .option('--status', 'list the builds, and how far an unfinished one is')
    .option('--pause', 'stop the running replay at its next batch')
    .option('--abort', 'remove the unfinished build without a trace')
    .option('--retire', 'remove what was served before the last switch')
    .option(
      '--item <id...>',
      'rebuild nothing: check that the stored observations of these items still give what each run published',
    )
    .option('--source <source>', 'check every item that ever had a SKU of this source, by id or name')
    .option('--from <instant>', 'check the runs from this as_of on; alone: all items')
    .option('--to <instant>', 'and up to this one, inclusive')
    .addHelpText(
      'after',
      `
After --pause, Ctrl-C or a crash, the same command resumes the replay.`,
    )
    .action(
      withCatalog(({ catalog, terminal, signal }, flags: ReplayFlags & PartFlags) => {
        const { item: items, source, from, to } = flags
        return [items, source, from, to].every((value) => value === undefined)
          ? replayCatalog(catalog, terminal, { flags, signal })
          : replayPart(catalog, terminal, { items, source, from, to, signal })
      }),
    )
}
