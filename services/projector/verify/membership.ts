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

/**
 * The fold of the membership with its state in the ledger: an event loads the items and SKUs that it names, with the
 * survivors of their merges, which is all that it can touch. The returned function answers which SKUs the event moved, and
 * whether it contradicts what was folded before.
 */
export function membershipFold(ledger: Ledger) {
  ledger.exec(`
    create table item_keys (item_id text primary key, founder text, n int, unit text, pack_quantity text, pack_unit text,
      merged_into text) without rowid;
    create table members (sku text primary key, item text, source text) without rowid;
    create index members_item on members (item);
    create table apart (sku text, other text, since text, reason text, primary key (sku, other)) without rowid`)

  function loadItem(state: Membership, itemId: string): void {
    if (state.foundings.has(itemId)) return
    const key = ledger.prepare(`select * from item_keys where item_id = ?`).get(itemId) as ItemKey | undefined
    if (key === undefined) return
    const { founder: founderId, n, unit, pack_quantity, pack_unit, merged_into } = key
    const pack = pack_quantity === null || pack_unit === null ? null : { quantity: pack_quantity, unit: pack_unit }
    state.foundings.set(itemId, { itemId, founderId, n, unit, pack })
    for (const member of ledger.prepare(`select * from members where item = ?`).all(itemId) as Member[]) {
      state.itemOf.set(member.sku, itemId)
      const skus = state.skusOf.get(itemId) ?? new Map<string, string>()
      state.skusOf.set(itemId, skus.set(member.source, member.sku))
    }
    if (merged_into === null) return
    state.mergedInto.set(itemId, merged_into)
    loadItem(state, merged_into)
  }

  function partOf(event: Exclude<MembershipEvent, { type: 'SkusKeptApart' }>): Membership {
    const state = emptyMembership()
    if (event.type === 'ItemsMerged') for (const id of [event.from_item_id, event.into_item_id]) loadItem(state, id)
    else {
      loadItem(state, event.item_id)
      const at = ledger.prepare(`select item from members where sku = ?`).get(event.vendor_sku_id) as
        | { item: string }
        | undefined
      if (at !== undefined) loadItem(state, at.item)
    }
    const skuIds = new Set([...state.itemOf.keys(), ...('vendor_sku_id' in event ? [event.vendor_sku_id] : [])])
    for (const a of skuIds) {
      const others = ledger.prepare(`select other as b, since, reason from apart where sku = ?`).all(a)
      for (const { b, since, reason } of others as { b: string; since: string; reason: string }[]) {
        if (skuIds.has(b)) keepApart(state, { a, b, since, reason })
      }
    }
    return state
  }

  function saveItemKey(key: ItemKey): void {
    const { item_id, founder, n, unit, pack_quantity, pack_unit, merged_into } = key
    ledger
      .prepare(`insert or replace into item_keys values (?, ?, ?, ?, ?, ?, ?)`)
      .run(item_id, founder, n, unit, pack_quantity, pack_unit, merged_into)
    const columns = { founder, founding_n: n, unit, pack_quantity: pack_quantity && plainDecimal(pack_quantity) }
    ledger.set('item keys', item_id, rowText({ ...columns, pack_unit, merged_into }))
  }

  return (event: MembershipEvent): { conflict: boolean; named: readonly { skuId: string; sourceId: string }[] } => {
    if (event.type === 'SkusKeptApart') {
      const [a, b] = event.vendor_sku_ids
      const insert = ledger.prepare(`insert or ignore into apart values (?, ?, ?, ?)`)
      insert.run(a, b, event.decided_at, event.reason)
      insert.run(b, a, event.decided_at, event.reason)
      return { conflict: false, named: [] }
    }
    const state = partOf(event)
    const before = {
      itemOf: new Map(state.itemOf),
      foundings: new Set(state.foundings.keys()),
      merged: new Set(state.mergedInto.keys()),
    }
    if (applyMembership(state, event) !== undefined) return { conflict: true, named: [] }
    for (const { itemId, founderId, n, unit, pack } of state.foundings.values()) {
      if (before.foundings.has(itemId)) continue
      const packed = { pack_quantity: pack?.quantity ?? null, pack_unit: pack?.unit ?? null }
      saveItemKey({ item_id: itemId, founder: founderId, n, unit, ...packed, merged_into: null })
    }
    for (const [from, into] of state.mergedInto) {
      if (before.merged.has(from)) continue
      saveItemKey({
        ...(ledger.prepare(`select * from item_keys where item_id = ?`).get(from) as ItemKey),
        merged_into: into,
      })
    }
    const named: { skuId: string; sourceId: string }[] = []
    for (const [itemId, skus] of state.skusOf) {
      for (const [sourceId, skuId] of skus) {
        if (before.itemOf.get(skuId) === itemId) continue
        ledger.prepare(`insert or replace into members values (?, ?, ?)`).run(skuId, itemId, sourceId)
        ledger.set('memberships', skuId, rowText({ item_id: itemId, source_id: sourceId }))
        named.push({ skuId, sourceId })
      }
    }
    return { conflict: false, named }
  }
}
