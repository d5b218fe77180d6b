import { answers, IdParams, type ItemDiff, ItemDiffQuery, ItemDiffResponse } from '@catalog/api/contract/contract.ts'
import { feedsVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { pointsInForce } from '@catalog/store/catalog/price-points.ts'
import type { Store } from '@catalog/store/db.ts'
import { readInstantStates, readKeptSince, type StateAt } from '@catalog/store/history/item-states.ts'
import { type DiffedState, differences, publishedState } from './item-diff.ts'
import { ITEM_ID } from './items.ts'

/** GET /items/{id}/diff: what changed of an item between two instants. */
export function diffRoute(v1: V1, { store, cache }: Pick<ApiContext, 'store' | 'cache'>): void {
  v1.get(
    '/items/:id/diff',
    {
      schema: {
        operationId: 'getItemDiff',
        summary: 'Compare an item between two instants',
        description:
          'Compares what the catalog showed after the last run up to `from` with what it showed after the last run up to `to`: name, unit, codes, category, kind, vendors, regions, and the median of each market. The changes themselves are kept for a time that the operator sets (400 days by default): before `kept_since` an item whose later change replaced an earlier one says `not_kept`, and only its medians, which are kept for ever, are compared. The diff is of this very id: a merged item says where it went.',
        tags: ['Items'],
        params: IdParams,
        querystring: ItemDiffQuery,
        response: answers('The differences', { 'application/json': ItemDiffResponse }, [404]),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { query } = request
      const key = JSON.stringify(['diff', id, query])
      const document = await cache.get({ key, versionOf: feedsVersion }, async () =>
        documentOf(JSON.stringify(await diffOf(store, id, query)), { 'content-type': JSON_TYPE }),
      )
      return sendDocument(request, reply, document)
    },
  )
}

async function diffOf(
  store: Store,
  itemId: string,
  { from, to }: { from: string; to?: string | undefined },
): Promise<ItemDiff> {
  const states = ITEM_ID.test(itemId)
    ? await readInstantStates(store, { itemId, instants: [from, to ?? null] })
    : undefined
  if (states === undefined)
    throw new ApiError('item_not_found', `item '${itemId}' does not exist, or no change of it is kept`)
  const [before, after] = states as [StateAt, StateAt]
  const at = { from: before.run === null ? from : before.run.as_of, to: after.run === null ? from : after.run.as_of }
  return {
    item_id: itemId,
    from: sideOf(before, from),
    to: sideOf(after, to ?? null),
    kept_since: await readKeptSince(store),
    ...differences(
      await diffedState(store, { itemId, state: before, asOf: at.from }),
      await diffedState(store, { itemId, state: after, asOf: at.to }),
    ),
  }
}

function sideOf(state: StateAt, at: string | null): ItemDiff['from'] {
  const { run, kind } = state
  return {
    at,
    run_id: run?.run_id ?? null,
    as_of: run?.as_of ?? null,
    state: kind === 'left' ? (state.mergedInto === null ? 'gone' : 'merged') : kind,
    merged_into: kind === 'left' ? state.mergedInto : null,
  }
}

async function diffedState(
  store: Store,
  { itemId, state, asOf }: { itemId: string; state: StateAt; asOf: string },
): Promise<DiffedState> {
  if (state.kind === 'active') return publishedState(JSON.parse(state.state) as PublicState)
  if (state.kind !== 'not_kept') return { fields: null, markets: new Map() }
  const points = await pointsInForce(store, { itemIds: [itemId], asOf })
  return {
    fields: undefined,
    markets: new Map(
      points.map(({ market, cents, currency }) => {
        const median = cents === null || currency === null ? null : { cents, currency }
        return [market, { median, vendors: null }]
      }),
    ),
  }
}
