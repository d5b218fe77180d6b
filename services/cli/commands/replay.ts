import { replayCatalog } from '@catalog/cli/replay/replay.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

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
    .addHelpText(
      'after',
      `
After --pause, Ctrl-C or a crash, the same command resumes the replay.`,
    )
    .action(withCatalog(replayCatalog))
}
