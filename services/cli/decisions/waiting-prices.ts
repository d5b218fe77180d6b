import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import { waitingPrices } from '@catalog/store/catalog/quarantine.ts'

/** `catalog review waiting`: first prices in quarantine, for a person to release. */
export async function listWaitingPrices(
  catalog: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  const found = await waitingPrices(catalog.store, {
    after: after === undefined ? null : parsePlace(after),
    limit: limit + 1,
  })
  const prices = found.slice(0, limit)
  const last = found.length > limit ? prices.at(-1) : undefined
  const cursor = last === undefined ? null : `${last.item_id}/${last.observation_id}`
  terminal.answer({ prices, cursor }, () =>
    [
      prices.length === 0
        ? 'no first price waits'
        : table(
            prices.map((price) => ({
              observation: price.observation_id,
              source: price.source,
              article: price.article,
              price:
                `${formatMoney(price.cents, price.currency)} for ${price.per_quantity} ${price.vendor_unit ?? ''}`.trimEnd(),
              item: price.item_id,
              median:
                price.median_cents === null || price.median_currency === null
                  ? 'none'
                  : `${formatMoney(price.median_cents, price.median_currency)} for ${price.unit ?? 'a unit'}`,
            })),
          ),
      ...(cursor === null ? [] : [`more: catalog review waiting --after ${cursor}`]),
    ].join('\n'),
  )
  if (prices.length > 0) terminal.next('catalog review release OBSERVATION --reason "..."')
}

export function parsePlace(place: string): { itemId: string; observationId: string } {
  const [, itemId, observationId] = /^(ci_[a-z0-9]+)\/([0-9a-f]{64})$/.exec(place) ?? []
  if (itemId === undefined || observationId === undefined)
    throw new BadCursor(`--after '${place}': expected a cursor of catalog review waiting`)
  return { itemId, observationId }
}
