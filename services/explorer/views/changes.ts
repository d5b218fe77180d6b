import { sayCode } from '@catalog/explorer/languages/language.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import { onward } from '@catalog/explorer/pages/parts.ts'
import type { View } from '@catalog/explorer/pages/view.ts'
import { html } from 'ghtml'
import { type Found, resultList } from './search.ts'

export type ChangesAnswers = Readonly<{
  /** The newest change first. */
  items: readonly Omit<Found, 'score'>[]
  region: string | undefined
  /** The address of older ones; undefined at the end. */
  older: string | undefined
}>

/** What changed, as people read the feed. */
export function changesPage(view: View, { items, region, older }: ChangesAnswers): Page {
  const { say, origin } = view
  const place = region === undefined ? say('allMarkets') : sayCode(say, 'region', region)
  const feed =
    region === undefined ? `${origin}/v1/feeds/items.atom?limit=20` : `${origin}/v1/feeds/region/${region}?limit=20`
  const query = region === undefined ? '' : `&region=${region}&price_region=${region}`
  return {
    title: `${say('changes')}: ${place}`,
    current: '/changes',
    body: [
      items.length === 0 ? html`<p>${say('noChanges')}</p>` : resultList(view, items),
      onward(older, say('older')),
    ].join('\n'),
    data: { json: `${origin}/v1/items?sort=-updated${query}`, feed },
  }
}
