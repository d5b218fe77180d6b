import type { Stage } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import type { FeedKeys } from '@catalog/core/changes/signature.ts'
import { readFeedKeys, readSigner, rotateFeedKey } from '@catalog/store/feed-keys.ts'

/** Operators' commands on the keys that sign the feeds. They show public parts alone. */

/** Makes the first key where there is none, so that its id can be told to mirrors before the first run. */
export async function listFeedKeys({ catalog, terminal }: Stage): Promise<void> {
  await readSigner(catalog.store, catalog.now())
  answer({ catalog, terminal }, await readFeedKeys(catalog.store))
  terminal.next('catalog feed-keys rotate')
}

export async function rotateFeedKeys({ catalog, terminal }: Stage): Promise<void> {
  await readSigner(catalog.store, catalog.now())
  answer({ catalog, terminal }, await rotateFeedKey(catalog.store, catalog.now()))
  terminal.next('catalog feed-keys')
}

function answer({ catalog, terminal }: Stage, { catalog: id, keys }: FeedKeys): void {
  const nowMs = catalog.now().getTime()
  const shown = keys.map(({ endorsements, ...key }) => ({
    ...key,
    state: key.signs_until !== null && Date.parse(key.signs_until) <= nowMs ? 'signed' : 'signs',
    endorsed_by: endorsements.map(({ key }) => key),
  }))
  terminal.answer({ catalog: id, keys: shown }, () => {
    const rows = shown.map(({ id, created_at, state, signs_until }) => ({
      key: id,
      created_at,
      state: state === 'signs' && signs_until !== null ? `signs until ${signs_until}` : state,
    }))
    return [`catalog ${id}`, '', table(rows)].join('\n')
  })
}
