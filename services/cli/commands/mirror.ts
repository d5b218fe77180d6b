import type { MirrorFlags } from '@catalog/cli/mirror/mirror.ts'
import { reporting, withCatalog } from '@catalog/cli/shared/context.ts'
import { wholeNumber } from '@catalog/cli/shared/whole-number.ts'
import { run } from '@catalog/runtime/run.ts'
import { type Command, Option } from 'commander'

// Actions import their modules: a mirror needs nothing of a snapshot.

export function addMirror(program: Command): void {
  program
    .command('mirror')
    .description('keep a copy of a catalog’s feeds that is proved equal to the origin, and resume where it stopped')
    .argument('<url>', 'base address with its /v1, or the folder of a static copy')
    .requiredOption('--into <dir>', 'folder of the copies, one SQLite file a scope')
    .addOption(
      new Option(
        '--scope <scope>',
        'items or region/CODE, also several times (default: items; all with --static)',
      ).argParser((scope: string, before: string[] | undefined) => [...(before ?? []), scope]),
    )
    .addOption(
      new Option(
        '--key <kid>',
        'trust the origin only with this key, or one that it endorsed, also several times (default: those of the first contact)',
      ).argParser((key: string, before: string[] | undefined) => [...(before ?? []), key]),
    )
    .option('--accept-generation <gen>', 'take this later generation although it has fewer items than the copy')
    .option('--follow', 'stay, and poll')
    .option('--every <seconds>', 'between two polls (default: 60, and up to 3600 while nothing changes)')
    .option('--static <dir>', 'also write the whole feed tree as plain files, which any web server can serve')
    .option('--verify', 'check every state and every file again, and repair from the origin what rotted')
    .action((url: string, flags: MirrorFlags & { verify?: true }, command: Command) =>
      reporting(command, async (_shared, terminal) => {
        if (flags.verify) {
          const { verifyCopies } = await import('@catalog/cli/mirror/verify.ts')
          return run((signal) => verifyCopies(terminal, { url, flags, signal }))
        }
        const { mirrorCatalog } = await import('@catalog/cli/mirror/mirror.ts')
        return run((signal) => mirrorCatalog(terminal, { url, flags, signal }))
      }),
    )
}

const KEEP_MAX = 10_000

export function addSnapshot(program: Command): void {
  program
    .command('snapshot')
    .description(
      'write bulk files of the whole catalog at the end of the last run: shards where mirrors begin, and Parquet',
    )
    .option('--out <dir>', 'a copy into another folder than SNAPSHOT_DIR, which the API serves')
    .option('--keep <n>', 'snapshots to keep, besides the first of each month, which stays for ever', '7')
    .option('--nightly', 'stay, and take one at the instants of SNAPSHOT_CRON, in one process of several')
    .action(
      withCatalog(async (context, { nightly, keep, ...flags }: { out?: string; keep: string; nightly?: boolean }) => {
        const given = { ...flags, keep: wholeNumber(keep, { option: '--keep', min: 1, max: KEEP_MAX }) }
        const { snapshot, snapshotNightly } = await import('@catalog/cli/mirror/snapshot.ts')
        if (!nightly) return snapshot(context, given)
        const { observed } = await import('@catalog/cli/serve/metrics.ts')
        return observed(context, 'snapshot', () => snapshotNightly(context, given))
      }),
    )
}

export function addRestored(program: Command): void {
  program
    .command('restored')
    .description('after a restore from a backup: begin a new generation, so that no mirror takes old numbers for new')
    .action(
      withCatalog(async (context) => {
        const { restored } = await import('@catalog/cli/mirror/snapshot.ts')
        return restored(context)
      }),
    )
}
