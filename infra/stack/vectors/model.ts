import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

/**
 * A small model of protocol ccm/1, for its test vectors. It imports nothing of ours: a fault that origin and mirror share
 * would otherwise be in the vectors too.
 */

/** A question with the right answer, or with the reason why a client refuses. */
export type Vector = Readonly<{ name: string; input: object }> &
  (Readonly<{ expected: object }> | Readonly<{ refused: string }>)

/** One file of docs/mirror-vectors. */
export type Subject = Readonly<{ subject: string; about: string; answer: string; vectors: readonly Vector[] }>

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()
export const hexOf = (text: string | Uint8Array): string => sha256(text).toString('hex')

export const GEN = '0000000000000007'

// States

export type Price = Readonly<{ name?: string; regions?: readonly string[]; cents?: number }>

/** The bytes of a public state, with the members in the order of RFC 8785. */
export function stateOf(id: string, { name = id, regions = ['ES', 'EU'], cents = 1250 }: Price = {}): string {
  const price = `{"cents":${cents},"currency":"EUR","recorded_at":"2026-01-05T02:00:00Z"}`
  const item =
    `{"category_id":null,"cpv":null,"id":${JSON.stringify(id)},"median_price":${price},"name":${JSON.stringify(name)},` +
    `"observation_count":3,"unit":"kg","updated_at":"2026-01-05T02:00:00Z","vendor_count":2}`
  const markets = regions.map((region) => `{"median_price":${price},"region":"${region}","vendor_count":2}`)
  return `{"item":${item},"markets":[${markets}],"merged_into":null,"regions":${JSON.stringify(regions)},"state":"active"}`
}

// Chains

/** What happens to an item: its new state, or its end. */
export type Step = Readonly<{
  id: string
  op: 'upsert' | 'delete' | 'leave'
  state?: string
  mergedInto?: string
  isSuperseded?: boolean
}>
export type Numbered = Step & Readonly<{ seq: number; chain: string }>

export const upsert = (id: string, price: Price = {}): Step => ({ id, op: 'upsert', state: stateOf(id, price) })
export const superseded = (step: Step): Step => ({ ...step, isSuperseded: true })

export const chainStart = (scope: string, gen = GEN): string => hexOf(`ccm/1\u0000${gen}\u0000${scope}`)

/** Numbers the steps and chains them, from 1 on or after a position. */
export function numbered(
  scope: string,
  steps: readonly Step[],
  from: Readonly<{ seq: number; chain: string }> = { seq: 0, chain: chainStart(scope) },
): Numbered[] {
  let { seq, chain } = from
  return steps.map((step) => {
    seq += 1
    const number = Buffer.from(seq.toString(16).padStart(16, '0'), 'hex')
    const sha = step.state === undefined ? Buffer.alloc(32) : sha256(step.state)
    chain = hexOf(Buffer.concat([Buffer.from(chain, 'hex'), number, Buffer.from(`${step.op[0]}${step.id}\u0000`), sha]))
    return { ...step, seq, chain }
  })
}

// State roots

export type Rows = Readonly<Record<string, string>>

/** SHA-256 of each state by id, in the order of ids. */
export const rowsOf = (states: Readonly<Record<string, string>>): Rows =>
  Object.fromEntries(
    Object.entries(states)
      .sort()
      .map(([id, state]) => [id, hexOf(state)]),
  )

export const bucketOf = (id: string): number => sha256(id)[0] as number

export function bucketsOf(rows: Rows): Buffer[] {
  const ids = Object.keys(rows).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return Array.from({ length: 256 }, (_, bucket) =>
    sha256(
      ...ids
        .filter((id) => bucketOf(id) === bucket)
        .flatMap((id) => [`${id}\u0000`, Buffer.from(rows[id] as string, 'hex')]),
    ),
  )
}
export const rootOf = (buckets: readonly Uint8Array[]): string => hexOf(Buffer.concat(buckets))

/** The first ids `ci_…` whose bucket is this one. */
export function idsIn(bucket: number, count: number): string[] {
  const ids: string[] = []
  for (let tried = 0; ids.length < count; tried++) {
    const id = `ci_${tried.toString(32).padStart(6, 'a')}`
    if (bucketOf(id) === bucket) ids.push(id)
  }
  return ids
}

// Documents

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export type AtomParts = Readonly<{
  gen?: string
  scope?: string
  changes: readonly Numbered[]
  first?: number
  last?: number
  chain?: string
  /** Prefixes of the namespaces; Atom's is the default one where it is ''. */
  prefixes?: Readonly<{ atom: string; at: string; ccm: string }>
  /** Further elements of the feed. */
  more?: string
}>

/** An Atom document with the elements that a mirror reads and those that the grammar demands. */
export function atomOf({ gen = GEN, scope = 'items', changes, prefixes, more = '', ...given }: AtomParts): string {
  const { atom, at, ccm } = prefixes ?? { atom: '', at: 'at:', ccm: 'ccm:' }
  const [oldest, newest] = [changes[0] as Numbered, changes.at(-1) as Numbered]
  const element = (prefix: string, name: string, text: string | number) =>
    `<${prefix}${name}>${escaped(String(text))}</${prefix}${name}>`
  const declared = (prefix: string, uri: string) => ` xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${uri}"`
  const dateOf = ({ seq }: Numbered) => `2026-01-05T02:00:00.${String(seq).padStart(6, '0')}Z`
  const shown = changes.toReversed().map((change) => {
    const { seq, op, id, state, mergedInto } = change
    const tag = `tag:catalog.example,2026:item/${id}`
    if (change.isSuperseded) {
      const sha = state === undefined ? '' : ` sha256="${hexOf(state)}"`
      return `<${ccm}superseded seq="${seq}" op="${op}" id="${id}"${sha}/>`
    }
    const protocol = element(ccm, 'seq', seq) + element(ccm, 'op', op)
    if (state === undefined) {
      const into = mergedInto === undefined ? '' : element(ccm, 'merged-into', mergedInto)
      return `<${at}deleted-entry ref="${tag}" when="${dateOf(change)}">${protocol}${into}</${at}deleted-entry>`
    }
    const people = element(atom, 'id', tag) + element(atom, 'title', id) + element(atom, 'updated', dateOf(change))
    const data = element(ccm, 'version', 1) + element(ccm, 'sha256', hexOf(state)) + element(ccm, 'state', state)
    return `<${atom}entry>${people}${protocol}${data}</${atom}entry>`
  })
  const head = [
    element(atom, 'id', `tag:catalog.example,2026:feed/${scope}`),
    element(atom, 'title', 'Catalog'),
    element(atom, 'updated', dateOf(newest)),
    element(ccm, 'gen', gen),
    element(ccm, 'scope', scope),
    element(ccm, 'first', given.first ?? oldest.seq),
    element(ccm, 'last', given.last ?? newest.seq),
    element(ccm, 'chain', given.chain ?? newest.chain),
  ]
  const namespaces =
    declared(atom, 'http://www.w3.org/2005/Atom') +
    declared(at, 'http://purl.org/atompub/tombstones/1.0') +
    declared(ccm, 'urn:construction-cost-catalog:ccm:1')
  // Foreign elements stand before all entries.
  const isEntry = (text: string) => text.startsWith(`<${atom}entry`)
  const body = [...head, more, ...shown.filter((text) => !isEntry(text)), ...shown.filter(isEntry)]
  return `<?xml version="1.0" encoding="utf-8"?>\n<${atom}feed${namespaces}>\n${body.join('\n')}\n</${atom}feed>\n`
}

/** Lines of a `since` answer. */
export const ndjsonOf = (changes: readonly Numbered[]): string =>
  changes
    .map(({ seq, op, id, state, chain, mergedInto }) => {
      const sha = state === undefined ? '' : `"sha256":"${hexOf(state)}",`
      const into = mergedInto === undefined ? '' : `,"merged_into":"${mergedInto}"`
      const last = state === undefined ? '' : `,"state":${state}`
      const updated = `2026-01-05T02:00:00.${String(seq).padStart(6, '0')}Z`
      return `{"seq":${seq},"op":"${op}","id":"${id}","version":1,"updated":"${updated}",${sha}"chain":"${chain}"${into}${last}}\n`
    })
    .join('')

/** A gzip file with stored blocks, whose bytes no version of a library changes. */
export function gzipOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(bytes), 0)
  end.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([Buffer.from('1f8b08000000000000ff', 'hex'), deflateRawSync(bytes, { level: 0 }), end])
}
