import { evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import { canonicalJson, type DigestEntry, type JsonValue, sha256Bytes } from '@catalog/core/digest.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import type { RunMarked, RunTakenBack } from '@catalog/core/events/runs.ts'
import { type Ledger, rowText } from './ledger.ts'
import { numberKey, type ParsedRecord, parkEvent } from './vendor.ts'

/** The medians of an item's markets, as points hold them. */
type Medians = Readonly<Record<string, readonly [cents: number, currency: string] | null>>
type Latest = Readonly<{ row: ItemRow; shown: string; medians: Medians; median: string | null }>

type Mark = Readonly<Record<'as_of' | 'seq' | 'offset' | 'items_published' | 'taken_back' | 'froze', unknown>>

/** Folds the item side, catalog.items, with its state in the ledger. */
export class ItemsFold {
  readonly #ledger: Ledger
  /** By run. */
  readonly #marks = new Map<string, Mark>()
  #heads: Heads

  /** `heads`: the scope heads before the first change. */
  constructor(ledger: Ledger, heads: Heads) {
    this.#ledger = ledger
    this.#heads = heads
    ledger.exec(`
    create table latest (item_id text primary key, value text) without rowid;
    create table change_items (item_id text, seq int, scopes text, primary key (item_id, seq)) without rowid`)
  }

  apply({ record, event }: ParsedRecord): void {
    if (event?.type === 'ItemPublished') this.#publish(event, record)
    else if (event?.type === 'RunMarked' || event?.type === 'RunTakenBack') this.#mark(event, record.offset)
  }

  #mark(event: RunMarked | RunTakenBack, offset: bigint): void {
    const { run_id: runId, as_of } = event
    const first = { as_of, seq: this.#heads.scopes.get('items')?.rseq ?? 0n, offset, items_published: 0 }
    const mark = this.#marks.get(runId) ?? { ...first, taken_back: null, froze: null }
    if (event.type === 'RunMarked') {
      if (this.#marks.has(runId)) return
      this.#marks.set(runId, { ...mark, items_published: event.items_published })
    } else {
      this.#marks.set(runId, { ...mark, as_of: event.decided_at, taken_back: offset, froze: event.editions })
      const isGone = (key: string) => Date.parse(key.slice(key.lastIndexOf(' ') + 1)) >= Date.parse(as_of)
      this.#ledger.remove('price points', isGone)
    }
    this.#ledger.setLast('run marks', runId, rowText(this.#marks.get(runId) as Mark))
  }

  /** Enters the heads as they are now, and returns them. */
  enterHeads(): Heads {
    for (const [scope, { rseq, chain }] of this.#heads.scopes) {
      this.#ledger.setLast('scope heads', scope, rowText({ rseq, chain }))
    }
    return this.#heads
  }

  /**
   * Whether retention may have deleted a change: no region numbers it above that region's floor, and a newer change of its item
   * lies at or below the floor of `items`.
   */
  mayBeGone(seq: bigint, itemId: string, floors: ReadonlyMap<string, bigint>): boolean {
    const floorOf = (scope: string) => floors.get(scope) ?? 0n
    if (seq > floorOf('items')) return false
    const { scopes } = this.#ledger
      .prepare(`select scopes from change_items where item_id = ? and seq = ?`)
      .get(itemId, Number(seq)) as { scopes: string }
    const isNumbered = (JSON.parse(scopes) as [string, number][]).some(
      ([scope, rseq]) => scope !== 'items' && BigInt(rseq) > floorOf(scope),
    )
    const newer = this.#ledger
      .prepare(`select 1 from change_items where item_id = ? and seq > ? and seq <= ?`)
      .get(itemId, Number(seq), Number(floorOf('items')))
    return !isNumbered && newer !== undefined
  }

  #publish(event: ItemPublished, place: ParsedRecord['record']): void {
    const before = loadLatest(this.#ledger, event.item_id)
    const outcome = evolve(before?.row ?? null, this.#heads, event)
    if (outcome.kind === 'repeat') return
    if (outcome.kind === 'stale') {
      parkEvent(this.#ledger, event, { ...place, reason: 'STALE_VERSION' })
      return
    }
    if (outcome.kind === 'basis') {
      // A basis follows a change, so there is an item before it.
      this.#ledger.setLast('items', event.item_id, `${before?.shown}, ${basisOf(event)}`)
      return
    }
    this.#heads = outcome.heads
    const shown = itemText(event, outcome)
    const medians = mediansOf(event.state)
    this.#ledger.setLast('items', event.item_id, `${shown}, ${basisOf(event)}`)
    this.#enterChange(event, outcome, before?.median ?? null)
    this.#enterPoints(event, { before: before?.medians ?? {}, after: medians })
    this.#enterCategories(event.category_path ?? [])
    const { median_price } = event.state.item
    const median = median_price && canonicalJson(median_price as unknown as JsonValue)
    saveLatest(this.#ledger, event.item_id, { row: outcome.row, shown, medians, median })
  }

  #enterChange(event: ItemPublished, outcome: ChangeOutcome, former_median: string | null): void {
    const { seq, row, publicState, op, scopes, updatedUs } = outcome
    const { item_id } = event
    const { merged_into } = event.state
    const change = { op, version: row.version, updated_us: updatedUs, state_sha: row.stateSha }
    const state = op === 'upsert' ? publicState : null
    this.#ledger.setFirst(
      'changes',
      numberKey(seq),
      changeValue({ seq, item_id, ...change, state, merged_into, former_median }),
    )
    if (!this.#ledger.isCatchUp) {
      this.#ledger
        .prepare(`insert into change_items values (?, ?, ?)`)
        .run(item_id, Number(seq), JSON.stringify(scopes.map(({ scope, rseq }) => [scope, Number(rseq)])))
    }
    for (const { scope, rseq, op, chain } of scopes) {
      this.#ledger.setFirst('numbers', `${scope} ${numberKey(rseq)}`, numberValue({ rseq, seq, op, chain }))
      if (this.#ledger.isCatchUp) this.#ledger.setLast('scope heads', scope, rowText({ rseq, chain }))
    }
  }

  #enterPoints({ item_id, as_of }: ItemPublished, { before, after }: { before: Medians; after: Medians }): void {
    for (const market of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [before[market] ?? null, after[market] ?? null]
      if (was?.[0] === is?.[0] && was?.[1] === is?.[1]) continue
      const point = rowText({ cents: is?.[0] ?? null, currency: is?.[1] ?? null })
      this.#ledger.setLast('price points', `${item_id} ${market} ${as_of}`, point)
    }
  }

  #enterCategories(path: readonly string[]): void {
    for (const [depth, name] of path.entries()) {
      const parent_id = depth === 0 ? null : categoryIdOf(path.slice(0, depth))
      this.#ledger.setFirst('categories', categoryIdOf(path.slice(0, depth + 1)), rowText({ parent_id, name, depth }))
    }
  }
}

type ChangeOutcome = Extract<ReturnType<typeof evolve>, { kind: 'change' }>

/** The row of an item without its basis. */
function itemText(
  { state: { item, state, merged_into, kind, ...rest } }: ItemPublished,
  outcome: ChangeOutcome,
): string {
  const { row, seq, publicState } = outcome
  return rowText({
    state,
    public_state: sha256Bytes(publicState),
    version: row.version,
    seq,
    state_sha: row.stateSha,
    material_sha: row.materialSha,
    merged_into,
    name: item.name,
    category_id: item.category_id,
    kind: kind ?? null,
    item_json: canonicalJson(item as unknown as JsonValue),
    regions: [...row.regions].sort(),
    markets: marketsOf(rest),
  })
}

/** The columns that may change without a change of the item. */
function basisOf({ basis, vendor_sku_ids, run_id, as_of }: ItemPublished): string {
  return rowText({ vendor_sku_ids, basis: canonicalJson(basis as unknown as JsonValue), run_id, as_of })
}

const mediansOf = ({ item, markets }: PublicState): Medians =>
  Object.fromEntries(
    [['', item.median_price] as const, ...markets.map((market) => [market.region, market.median_price] as const)].map(
      ([market, median]) => [market, median && ([median.cents, median.currency] as const)],
    ),
  )

/** As in the table of markets, in the order of bytes. */
const marketsOf = ({ markets }: Pick<PublicState, 'markets'>) =>
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

/** The catalog root covers active items, by the bytes of their public state. */
export function itemEntry(id: string, value: string): DigestEntry | null {
  const sha = /^state "active", public_state ([0-9a-f]{64})/.exec(value)?.[1]
  return sha === undefined ? null : { id, sha: Buffer.from(sha, 'hex') }
}

function loadLatest(ledger: Ledger, itemId: string): Latest | undefined {
  const found = ledger.prepare(`select value from latest where item_id = ?`).get(itemId) as
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

function saveLatest(ledger: Ledger, itemId: string, { row, ...rest }: Latest): void {
  const { version, seq, stateSha, materialSha, regions } = row
  const plain = {
    version,
    regions,
    seq: String(seq),
    stateSha: stateSha.toString('hex'),
    materialSha: materialSha.toString('hex'),
  }
  ledger.prepare(`insert or replace into latest values (?, ?)`).run(itemId, JSON.stringify({ row: plain, ...rest }))
}
