import { backup, listBackups } from '@catalog/cli/backup/backup.ts'
import { reporting, withCatalog, withEnvironment } from '@catalog/cli/shared/context.ts'
import { wholeNumber } from '@catalog/cli/shared/whole-number.ts'
import type { Command } from 'commander'

const KEEP_MAX = 10_000

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description('save all tables of one instant while everything else goes on; verify and list such backups')
    .option('--to <dir>', 'folder of the backups; each gets a folder of its own, named by its instant')
    .option('--keep <n>', 'remove older backups beyond the newest n, and those that were broken off')
    .addHelpText(
      'after',
      `
A backup holds keys' hashes, members and mail: keep it as private as the data folder. With Kafka the log is not in it.

Examples:
  catalog backup --to backups --keep 7
  catalog backup verify backups
  catalog restore backups --data restored`,
    )
    .action(
      withCatalog((context, { to, keep }: { to?: string; keep?: string }) => {
        if (to === undefined) throw new Error('--to is missing: expected the folder of the backups')
        if (keep === undefined) return backup(context, { to })
        return backup(context, { to, keep: wholeNumber(keep, { option: '--keep', min: 1, max: KEEP_MAX }) })
      }),
    )
  command
    .command('verify')
    .description(
      'restore the newest backup into a scratch place, fold its log and compare the roots; then throw all away',
    )
    .argument('<dir>', 'a backup, or the folder of several')
    .option('--scratch <place>', 'where: a folder, or the address of an empty database (default: a temporary one)')
    .action(
      withEnvironment(async ({ env, terminal, signal }, dir: string, flags: { scratch?: string }) => {
        const { verifyBackup } = await import('@catalog/cli/backup/verify.ts')
        return await verifyBackup(env, terminal, { dir, flags, signal })
      }),
    )
  command
    .command('list')
    .description('the backups of a folder, oldest first')
    .argument('<dir>', 'the folder of the backups')
    .action((dir: string, _flags: object, command: Command) =>
      reporting(command, (_options, terminal) => listBackups(terminal, dir)),
    )
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('put a backup into an empty store, with a new generation and a snapshot for mirrors')
    .argument('<dir>', 'a backup, or the folder of several: then the newest')
    .option('--replace', 'move the embedded store that is there aside, to replaced-… in its folder')
    .addHelpText(
      'after',
      `
Stop every process of the catalog first. Nothing is touched before every byte of the backup was read.

Examples:
  catalog restore backups --data restored && catalog verify --data restored
  DATABASE_URL=postgres://…/empty catalog restore backups/2026-11-27T02-00-00.000Z`,
    )
    .action(
      withEnvironment(async ({ env, terminal, signal }, from: string, flags: { replace?: true }) => {
        const { restore } = await import('@catalog/cli/backup/restore.ts')
        return await restore(env, terminal, { from, flags, signal })
      }),
    )
}
