import type { Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { replaceSigningKeys, rotateSigningKey } from '@catalog/console/agents/signing-keys.ts'
import { readSigningKeys } from '@catalog/store/accounts/oauth.ts'

/** Operators' commands on the keys that sign agents' tokens. They show key ids, never key material. */

export async function listSigningKeys({ catalog: { store, now }, terminal }: Stage): Promise<void> {
  const rows = await readSigningKeys(store)
  const nowMs = now().getTime()
  const signing = rows.find(({ signs_from }) => Date.parse(signs_from) <= nowMs)
  const keys = rows.map(({ kid, created_at, signs_from }) => ({
    kid,
    created_at,
    signs_from,
    state: kid === signing?.kid ? 'signs' : Date.parse(signs_from) > nowMs ? 'will sign' : 'signed',
  }))
  terminal.answer({ keys }, () => table(keys))
  terminal.next('catalog oauth rotate')
}

/** Rotates by hand what otherwise rotates every 90 days; `--now` is for a leaked key. */
export async function rotateSigning(
  { catalog: { store, now }, terminal }: Stage,
  { now: atOnce = false }: { now?: boolean } = {},
): Promise<void> {
  const { kid, from } = await (atOnce ? replaceSigningKeys : rotateSigningKey)({ store, now })
  terminal.answer({ kid, signs_from: from }, () =>
    atOnce
      ? `${kid} signs alone; other signatures are refused within half a minute, and agents refresh their tokens`
      : `${kid} signs from ${from}; until then all processes learn of it, and the present key signs`,
  )
  terminal.next('catalog oauth keys')
}
