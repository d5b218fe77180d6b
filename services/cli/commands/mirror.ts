import type { MirrorFlags } from '@catalog/cli/mirror/mirror.ts'
import { withCatalog, withTerminal } from '@catalog/cli/shared/context.ts'
import { wholeNumber } from '@catalog/cli/shared/whole-number.ts'
import { run } from '@catalog/runtime/run.ts'
import type { Actions } from './actions.ts'

// Actions import their modules: a mirror needs nothing of a snapshot.

const KEEP_MAX = 10_000

export const ACTIONS: Actions = {
  mirror: withTerminal(async (terminal, url: string, flags: MirrorFlags & { verify?: true }) => {
    if (flags.verify) {
      const { verifyCopies } = await import('@catalog/cli/mirror/verify.ts')
      return run((signal) => verifyCopies(terminal, { url, flags, signal }))
    }
    const { mirrorCatalog } = await import('@catalog/cli/mirror/mirror.ts')
    return run((signal) => mirrorCatalog(terminal, { url, flags, signal }))
  }),
  snapshot: withCatalog(
    async (context, { nightly, keep, ...flags }: { out?: string; keep: string; nightly?: boolean }) => {
      const given = { ...flags, keep: wholeNumber(keep, { option: '--keep', min: 1, max: KEEP_MAX }) }
      const { snapshot, snapshotNightly } = await import('@catalog/cli/mirror/snapshot.ts')
      if (!nightly) return snapshot(context, given)
      const { observed } = await import('@catalog/cli/serve/metrics.ts')
      return observed(context, 'snapshot', () => snapshotNightly(context, given))
    },
  ),
  restored: withCatalog(async (context) => {
    const { restored } = await import('@catalog/cli/mirror/snapshot.ts')
    return restored(context)
  }),
}
