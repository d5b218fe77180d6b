import { evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import { canonicalJson, type DigestEntry, type JsonValue, sha256Bytes } from '@catalog/core/digest.ts'
import { fold, type ItemPublished, type PublicState } from '@catalog/core/events/events.ts'
import { type Ledger, rowText } from './ledger.ts'
import { numberKey, parkEvent, type Read } from './vendor.ts'

/** A median as points tell it: cents and currency. */
type Medians = Readonly<Record<string, readonly [cents: number, currency: string] | null>>
type Standing = Readonly<{ row: ItemRow; shown: string; medians: Medians; median: string | null }>

/**
 * What the tables of the item side must hold: the fold of catalog.items with its state in the ledger. `begun` are the heads
 * before the first change.
 */
export function itemsFold(ledger: Ledger, begun: Heads) {
  let heads = begun
  ledger.exec(`
    create table standing (item_id text primary key, value text) without rowid;
    create table change_items (item_id text, seq int, scopes text, primary key (item_id, seq)) without rowid`)

  function publish(event: ItemPublished, place: Read['record']): void {
    const old = loadStanding(ledger, event.item_id)
    const outcome = evolve(old?.row ?? null, heads, event)
    if (outcome.kind === 'repeat') return
    if (outcome.kind === 'stale') {
      parkEvent(ledger, event, { ...place, reason: 'STALE_VERSION' })
      return
    }
    if (outcome.kind === 'basis') {
      // Without an item before it there is a change.
      ledger.set('items', event.item_id, `${old?.shown}, ${basisOf(event)}`)
      return
    }
    const { seq, row, publicState, op, scopes, updatedUs } = outcome
    heads = outcome.heads
    const { item, state, merged_into } = event.state
    const medians = mediansOf(event.state)
    const shown = rowText({
      state,
      public_state: sha256Bytes(publicState),
      version: row.version,
      seq,
      state_sha: row.stateSha,
      material_sha: row.materialSha,
      merged_into,
      name: item.name,
      folded_name: fold(item.name),
      category_id: item.category_id,
      item_json: canonicalJson(item as unknown as JsonValue),
      regions: [...row.regions].sort(),
      markets: marketsOf(event.state),
    })
    ledger.set('items', event.item_id, `${shown}, ${basisOf(event)}`)
    const former = old?.median ?? null
    const change = { op, version: row.version, updated_us: updatedUs, state_sha: row.stateSha }
    const shownState = op === 'upsert' ? publicState : null
    ledger.first(
      'changes',
      numberKey(seq),
      changeValue({ seq, item_id: event.item_id, ...change, state: shownState, merged_into, former_median: former }),
    )
    if (!ledger.isMeanwhile) {
      ledger
        .prepare(`insert into change_items values (?, ?, ?)`)
        .run(event.item_id, Number(seq), JSON.stringify(scopes.map(({ scope, rseq }) => [scope, Number(rseq)])))
    }
    for (const { scope, rseq, op, chain } of scopes) {
      ledger.first('numbers', `${scope} ${numberKey(rseq)}`, numberValue({ rseq, seq, op, chain }))
      if (ledger.isMeanwhile) ledger.set('scope heads', scope, rowText({ rseq, chain }))
    }
    for (const market of new Set([...Object.keys(old?.medians ?? {}), ...Object.keys(medians)])) {
      const [was, is] = [old?.medians[market] ?? null, medians[market] ?? null]
      if (was?.[0] === is?.[0] && was?.[1] === is?.[1]) continue
      const point = rowText({ cents: is?.[0] ?? null, currency: is?.[1] ?? null })
      ledger.set('price points', `${event.item_id} ${market} ${event.as_of}`, point)
    }
    const path = event.category_path ?? []
    for (const [depth, name] of path.entries()) {
      const parent_id = depth === 0 ? null : categoryIdOf(path.slice(0, depth))
      ledger.first('categories', categoryIdOf(path.slice(0, depth + 1)), rowText({ parent_id, name, depth }))
    }
    const median = item.median_price && canonicalJson(item.median_price as unknown as JsonValue)
    saveStanding(ledger, event.item_id, { row, shown, medians, median })
  }

  return {
    items({ record, event }: Read): void {
      if (event?.type === 'ItemPublished') publish(event, record)
      else if (event?.type === 'RunMarked') {
        const seq = heads.scopes.get('items')?.rseq ?? 0n
        const columns = { as_of: event.as_of, seq, offset: record.offset, items_published: event.items_published }
        ledger.first('run marks', event.run_id, rowText(columns))
      }
    },
    /** Enters the heads as they are. */
    headsAtStart(): Heads {
      for (const [scope, { rseq, chain }] of heads.scopes) ledger.set('scope heads', scope, rowText({ rseq, chain }))
      return heads
    },
    /**
     * Whether retention may have let a change go: no region numbers it above its floor, and it is not the newest of its
     * item up to the floor of `items`.
     */
    mayBeGone(seq: bigint, itemId: string, floors: ReadonlyMap<string, bigint>): boolean {
      const floorOf = (scope: string) => floors.get(scope) ?? 0n
      if (seq > floorOf('items')) return false
      const { scopes } = ledger
        .prepare(`select scopes from change_items where item_id = ? and seq = ?`)
        .get(itemId, Number(seq)) as { scopes: string }
      const isNumbered = (JSON.parse(scopes) as [string, number][]).some(
        ([scope, rseq]) => scope !== 'items' && BigInt(rseq) > floorOf(scope),
      )
      const newer = ledger
        .prepare(`select 1 from change_items where item_id = ? and seq > ? and seq <= ?`)
        .get(itemId, Number(seq), Number(floorOf('items')))
      return !isNumbered && newer !== undefined
    },
  }
}

/** What may change without a change of the item. */
function basisOf({ basis, vendor_sku_ids, run_id, as_of }: ItemPublished): string {
  return rowText({ vendor_sku_ids, basis: canonicalJson(basis as unknown as JsonValue), run_id, as_of })
}

const mediansOf = ({ item, markets }: PublicState): Medians =>
  Object.fromEntries(
    [['', item.median_price] as const, ...markets.map((market) => [market.region, market.median_price] as const)].map(
      ([market, median]) => [market, median && ([median.cents, median.currency] as const)],
    ),
  )

/** As the table of markets has them, in order of their bytes. */
const marketsOf = ({ markets }: PublicState) =>
  markets
    .map(
      ({ region, median_price: median }) =>
        `${region} ${median ? canonicalJson(median as unknown as JsonValue) : 'none'}`,
    )
    .sort()

type Change = Readonly<{
  seq: bigint
  item_id: string
  op: string
  version: number
  updated_us: bigint
  state_sha: Uint8Array
  state: string | null
  merged_into: string | null
  former_median: string | null
}>
export const changeValue = ({ seq, op, item_id, ...columns }: Change) =>
  `seq ${seq} ${op} ${item_id} ${rowText({ ...columns, state: columns.state && sha256Bytes(columns.state) })}`
export const itemOfChange = (value: string) => value.split(' ')[3] as string

export const numberValue = ({ rseq, seq, op, chain }: { rseq: bigint; seq: bigint; op: string; chain: Uint8Array }) =>
  `${rseq} seq ${seq} ${op} chain ${Buffer.from(chain).toString('hex')}`

/** What the catalog root is made of: active items, by the bytes that are shown. */
export function itemEntry(id: string, value: string): DigestEntry | null {
  const sha = /^state "active", public_state ([0-9a-f]{64})/.exec(value)?.[1]
  return sha === undefined ? null : { id, sha: Buffer.from(sha, 'hex') }
}

function loadStanding(ledger: Ledger, itemId: string): Standing | undefined {
  const found = ledger.prepare(`select value from standing where item_id = ?`).get(itemId) as
    | { value: string }
    | undefined
  if (found === undefined) return undefined
  const { row, ...rest } = JSON.parse(found.value)
  const { version, seq, stateSha, materialSha, regions } = row
  return {
    row: {
      version,
      regions,
      seq: BigInt(seq),
      stateSha: Buffer.from(stateSha, 'hex'),
      materialSha: Buffer.from(materialSha, 'hex'),
    },
    ...rest,
  }
}

function saveStanding(ledger: Ledger, itemId: string, { row, ...rest }: Standing): void {
  const { version, seq, stateSha, materialSha, regions } = row
  const plain = {
    version,
    regions,
    seq: String(seq),
    stateSha: stateSha.toString('hex'),
    materialSha: materialSha.toString('hex'),
  }
  ledger.prepare(`insert or replace into standing values (?, ?)`).run(itemId, JSON.stringify({ row: plain, ...rest }))
}
