import { backup, listBackups } from '@catalog/cli/backup/backup.ts'
import { withCatalog, withEnvironment, withTerminal } from '@catalog/cli/shared/context.ts'
import { wholeNumber } from '@catalog/cli/shared/whole-number.ts'
import type { Actions } from './actions.ts'

const KEEP_MAX = 10_000

export const ACTIONS: Actions = {
  backup: withCatalog((context, { to, keep }: { to?: string; keep?: string }) => {
    if (to === undefined) throw new Error('--to is missing: expected the folder of the backups')
    if (keep === undefined) return backup(context, { to })
    return backup(context, { to, keep: wholeNumber(keep, { option: '--keep', min: 1, max: KEEP_MAX }) })
  }),
  'backup verify': withEnvironment(async ({ env, terminal, signal }, dir: string, flags: { scratch?: string }) => {
    const { verifyBackup } = await import('@catalog/cli/backup/verify.ts')
    return await verifyBackup(env, terminal, { dir, flags, signal })
  }),
  'backup list': withTerminal((terminal, dir: string) => listBackups(terminal, dir)),
  restore: withEnvironment(async ({ env, terminal, signal }, from: string, flags: { replace?: true }) => {
    const { restore } = await import('@catalog/cli/backup/restore.ts')
    return await restore(env, terminal, { from, flags, signal })
  }),
}
