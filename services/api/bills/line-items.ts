import type { ApiContext } from '@catalog/api/http/context.ts'
import * as replica from '@catalog/replica/read/items.ts'
import { readMedianAt } from '@catalog/replica/read/points.ts'
import { survivorId } from '@catalog/store/catalog/detail.ts'
import * as pricePoints from '@catalog/store/catalog/price-points.ts'
import { type NamedItem, readBases, readItemsById } from '@catalog/store/catalog/queries.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { knownKeys } from '@catalog/store/search/search-docs.ts'
import { type LinkedItem, readLinkedItems } from '@catalog/store/vendor/recipes.ts'
import { readSourceNames, type SourceName } from '@catalog/store/vendor/sources.ts'

/** Where the items of lines are read. */
export type LineItems = Readonly<{
  /** The active ones of these items, in no order. */
  byId: (asked: { itemIds: readonly string[]; priceRegion: string | undefined }) => Promise<readonly NamedItem[]>
  basisOf: (itemId: string) => Promise<string | undefined>
  /** The median in force at an instant in a market ('' is the headline), to the minor unit. */
  medianAt: (asked: {
    itemId: string
    market: string
    at: string
  }) => Promise<{ cents: number; currency: string } | undefined>
  /** The item, or the survivor of its merges; undefined for one that is gone. */
  survivorOf: (itemId: string) => Promise<string | undefined>
  /** Which of these keys of codes any SKU has. */
  knownKeys: (keys: readonly string[]) => Promise<ReadonlySet<string>>
  sources: () => Promise<readonly SourceName[]>
  /** The active items of these vendor SKUs, by the id of the SKU. */
  bySku: (asked: {
    skuIds: readonly string[]
    priceRegion: string | undefined
  }) => Promise<ReadonlyMap<string, LinkedItem>>
}>

/** What only the store knows. */
const ofStore = (store: Queryable) => ({
  knownKeys: (keys: readonly string[]) => knownKeys(store, keys),
  sources: () => readSourceNames(store),
  bySku: (asked: Parameters<LineItems['bySku']>[0]) => readLinkedItems(store, asked),
})

/** For a server: a list reads thousands of items. */
export function itemsOfReplica({
  store,
  read,
  catalogVersion,
}: Pick<ApiContext, 'store' | 'read' | 'catalogVersion'>): LineItems {
  async function shown<T>(work: Parameters<typeof read<T>>[0]): Promise<T> {
    // The replica reaches the present version first.
    await catalogVersion.get()
    return read(work)
  }
  return {
    byId: (asked) => shown((tables) => replica.readItemsById(tables, asked)),
    basisOf: (itemId) => shown((tables) => replica.readBasis(tables, itemId)),
    medianAt: (asked) => shown((tables) => readMedianAt(tables, asked)),
    survivorOf: (itemId) => shown((tables) => replica.survivorId(tables, itemId)),
    ...ofStore(store),
  }
}

/** For a command, which has no replica. */
export const itemsOfStore = (store: Queryable): LineItems => ({
  byId: (asked) => readItemsById(store, asked),
  basisOf: async (itemId) => (await readBases(store, [itemId]))[0]?.basis,
  medianAt: (asked) => pricePoints.readMedianAt(store, asked),
  survivorOf: (itemId) => survivorId(store, itemId),
  ...ofStore(store),
})
