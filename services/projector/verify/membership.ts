import {
  applyMembership,
  emptyMembership,
  keepApart,
  type Membership,
  type MembershipEvent,
} from '@catalog/core/matching/membership.ts'
import { type Ledger, plainDecimal, rowText } from './ledger.ts'

type ItemKey = {
  item_id: string
  founder: string
  n: number
  unit: string | null
  pack_quantity: string | null
  pack_unit: string | null
  merged_into: string | null
}
type Member = { sku: string; item: string; source: string }

/** `named`: the SKUs that an event moved. `conflict`: the event contradicts an earlier one. */
export type MembershipChange = Readonly<{
  conflict: boolean
  named: readonly Readonly<{ skuId: string; sourceId: string }>[]
}>

/**
 * Folds memberships with their state in the ledger. An event loads the items and SKUs that it names and the survivors of their
 * merges: it cannot touch others.
 */
export class MembershipFold {
  readonly #ledger: Ledger

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    ledger.exec(`
    create table item_keys (item_id text primary key, founder text, n int, unit text, pack_quantity text, pack_unit text,
      merged_into text) without rowid;
    create table members (sku text primary key, item text, source text) without rowid;
    create index members_item on members (item);
    create table apart (sku text, other text, since text, reason text, primary key (sku, other)) without rowid`)
  }

  /** Folds one event. Returns the SKUs that it moved, and whether it contradicts an earlier event. */
  apply(event: MembershipEvent): MembershipChange {
    if (event.type === 'SkusKeptApart') {
      this.#keepApart(event)
      return { conflict: false, named: [] }
    }
    const state = this.#stateFor(event)
    const before = {
      itemOf: new Map(state.itemOf),
      foundings: new Set(state.foundings.keys()),
      merged: new Set(state.mergedInto.keys()),
    }
    if (applyMembership(state, event) !== undefined) return { conflict: true, named: [] }
    for (const { itemId, founderId, n, unit, pack } of state.foundings.values()) {
      if (before.foundings.has(itemId)) continue
      const packed = { pack_quantity: pack?.quantity ?? null, pack_unit: pack?.unit ?? null }
      this.#saveItemKey({ item_id: itemId, founder: founderId, n, unit, ...packed, merged_into: null })
    }
    for (const [from, into] of state.mergedInto) {
      if (before.merged.has(from)) continue
      this.#saveItemKey({
        ...(this.#ledger.prepare(`select * from item_keys where item_id = ?`).get(from) as ItemKey),
        merged_into: into,
      })
    }
    const named: { skuId: string; sourceId: string }[] = []
    for (const [itemId, skus] of state.skusOf) {
      for (const [sourceId, skuId] of skus) {
        if (before.itemOf.get(skuId) === itemId) continue
        this.#ledger.prepare(`insert or replace into members values (?, ?, ?)`).run(skuId, itemId, sourceId)
        this.#ledger.setLast('memberships', skuId, rowText({ item_id: itemId, source_id: sourceId }))
        named.push({ skuId, sourceId })
      }
    }
    return { conflict: false, named }
  }

  #keepApart(event: Extract<MembershipEvent, { type: 'SkusKeptApart' }>): void {
    const [a, b] = event.vendor_sku_ids
    const { decided_at, reason } = event
    const insert = this.#ledger.prepare(`insert or ignore into apart values (?, ?, ?, ?)`)
    insert.run(a, b, decided_at, reason)
    insert.run(b, a, decided_at, reason)
  }

  #loadItem(state: Membership, itemId: string): void {
    if (state.foundings.has(itemId)) return
    const key = this.#ledger.prepare(`select * from item_keys where item_id = ?`).get(itemId) as ItemKey | undefined
    if (key === undefined) return
    const { founder: founderId, n, unit, pack_quantity, pack_unit, merged_into } = key
    const pack = pack_quantity === null || pack_unit === null ? null : { quantity: pack_quantity, unit: pack_unit }
    state.foundings.set(itemId, { itemId, founderId, n, unit, pack })
    for (const member of this.#ledger.prepare(`select * from members where item = ?`).all(itemId) as Member[]) {
      state.itemOf.set(member.sku, itemId)
      const skus = state.skusOf.get(itemId) ?? new Map<string, string>()
      state.skusOf.set(itemId, skus.set(member.source, member.sku))
    }
    if (merged_into === null) return
    state.mergedInto.set(itemId, merged_into)
    this.#loadItem(state, merged_into)
  }

  #stateFor(event: Exclude<MembershipEvent, { type: 'SkusKeptApart' }>): Membership {
    const state = emptyMembership()
    if (event.type === 'ItemsMerged')
      for (const id of [event.from_item_id, event.into_item_id]) this.#loadItem(state, id)
    else {
      this.#loadItem(state, event.item_id)
      const at = this.#ledger.prepare(`select item from members where sku = ?`).get(event.vendor_sku_id) as
        | { item: string }
        | undefined
      if (at !== undefined) this.#loadItem(state, at.item)
    }
    const skuIds = new Set([...state.itemOf.keys(), ...('vendor_sku_id' in event ? [event.vendor_sku_id] : [])])
    for (const a of skuIds) {
      const others = this.#ledger.prepare(`select other as b, since, reason from apart where sku = ?`).all(a)
      for (const { b, since, reason } of others as { b: string; since: string; reason: string }[]) {
        if (skuIds.has(b)) keepApart(state, { a, b, since, reason })
      }
    }
    return state
  }

  #saveItemKey(key: ItemKey): void {
    const { item_id, founder, n, unit, pack_quantity, pack_unit, merged_into } = key
    this.#ledger
      .prepare(`insert or replace into item_keys values (?, ?, ?, ?, ?, ?, ?)`)
      .run(item_id, founder, n, unit, pack_quantity, pack_unit, merged_into)
    const columns = { founder, founding_n: n, unit, pack_quantity: pack_quantity && plainDecimal(pack_quantity) }
    this.#ledger.setLast('item keys', item_id, rowText({ ...columns, pack_unit, merged_into }))
  }
}
