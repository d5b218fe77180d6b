import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { copiedScopes, verifyMirror } from '@catalog/mirror/verify/verify.ts'
import { type MirrorFlags, openStepBar, trustOf } from './mirror.ts'

/**
 * `catalog mirror --verify`: checks the copies of the folder, or those of the named scopes, and the tree of --static, and
 * repairs what rotted. Returns whether all is sound now.
 */
export async function verifyCopies(
  terminal: Terminal,
  { url, flags, signal }: { url: string; flags: MirrorFlags; signal: AbortSignal },
): Promise<boolean> {
  const { into, static: tree } = flags
  if (flags.follow) throw new Error('--verify with --follow: expected one of them')
  const scopes = flags.scope ?? copiedScopes(into, SCOPES)
  if (scopes.length === 0) throw new Error(`no copy in ${into}: expected a folder that catalog mirror --into filled`)
  const bars = openStepBar(terminal)
  const check = { url, into, scopes, tree, signal, ...trustOf(flags), onProgress: bars.to }
  const report = await verifyMirror(check).finally(bars.done)
  const { rotten, found, repaired } = report
  const ok = found === repaired
  const value = {
    ok,
    into,
    static: tree ?? null,
    scopes: report.scopes,
    found,
    repaired,
    rotten: rotten.map(({ place, name, problem, isRepaired }) => ({ place, name, problem, repaired: isRepaired })),
    requests: report.requests,
  }
  terminal.answer(value, () =>
    [
      ...Object.entries(report.scopes).map(([scope, count]) => `${scope}: ${count} items`),
      found === 0 ? 'all is sound' : `${found} findings, ${repaired} repaired`,
      ...(found === 0
        ? []
        : ['', table(value.rotten.map((each) => ({ ...each, repaired: each.repaired ? 'yes' : 'NO' })))]),
      ...(found > rotten.length ? [`and ${found - rotten.length} more`] : []),
    ].join('\n'),
  )
  return ok
}
