import type { ApiContext } from '@catalog/api/http/context.ts'
import { readNamedItems, survivorId as survivorIn } from '@catalog/replica/read/items.ts'
import { survivorId } from '@catalog/store/catalog/detail.ts'
import { type NamedItem, readItemsById } from '@catalog/store/catalog/queries.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** Where the items of lines are read. */
export type LineItems = Readonly<{
  /** The active ones of these items, in no order. */
  byId: (asked: { itemIds: readonly string[]; priceRegion: string | undefined }) => Promise<readonly NamedItem[]>
  /** The item, or the survivor of its merges; undefined for one that is gone. */
  survivorOf: (itemId: string) => Promise<string | undefined>
}>

/** For a server: a list reads thousands of items. */
export function itemsOfReplica({ read, catalogVersion }: Pick<ApiContext, 'read' | 'catalogVersion'>): LineItems {
  async function shown<T>(work: Parameters<typeof read<T>>[0]): Promise<T> {
    // The replica reaches the present version first.
    await catalogVersion.get()
    return read(work)
  }
  return {
    byId: (asked) => shown((tables) => readNamedItems(tables, asked)),
    survivorOf: (itemId) => shown((tables) => survivorIn(tables, itemId)),
  }
}

/** For a command, which has no replica. */
export const itemsOfStore = (store: Queryable): LineItems => ({
  byId: (asked) => readItemsById(store, asked),
  survivorOf: (itemId) => survivorId(store, itemId),
})
