import {
  bucketOf,
  bucketsOf,
  chainStart,
  GEN,
  hexOf,
  idsIn,
  type Numbered,
  numbered,
  type Rows,
  rootOf,
  rowsOf,
  type Subject,
  stateOf,
  upsert,
  type Vector,
} from './model.ts'

/** Vectors of canonical JSON, chains and state roots. */

const json = (name: string, input: string, canonical: string): Vector => ({
  name,
  input: { json: input },
  expected: { canonical, sha256: hexOf(canonical) },
})

/** Absent where nothing is known, so the states of other vectors have none of them. */
const FULL = stateOf('ci_b', { name: 'Drywall ½″ "X"' })
  .replace(
    '{',
    '{"category":{"by":"name","confidence_percent":87,"text":"Tabiquería > Placas"},"editions":["2025","2026-02"],',
  )
  .replace('"markets"', '"kind":"material","markets"')
  .replace(
    '"regions":["ES","EU"],"state"',
    '"names":[{"lang":"es","name":"Placa de yeso 12,5 mm","regions":["ES"]}],$&',
  )
const reversedMembers = (text: string) =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()), null, 1)

const CANONICAL: Subject = {
  subject: 'canonical-json',
  about:
    'Canonical JSON (RFC 8785) and its SHA-256. A mirror hashes the bytes of a public state as they came; it writes canonical ' +
    'JSON itself where it checks a signature.',
  answer: '{ "canonical": TEXT, "sha256": HEX } of the value that the JSON text `json` says',
  vectors: [
    json('a public state', ` ${stateOf('ci_a', { name: 'Ladrillo' })}\n`, stateOf('ci_a', { name: 'Ladrillo' })),
    json('a public state with every optional member', reversedMembers(FULL), FULL),
    json(
      'members in the order of UTF-16 code units',
      '{"\ufb33":1,"\u{1f600}":2,"é":3,"z":4,"10":5,"1":6,"":7}',
      '{"":7,"1":6,"10":5,"z":4,"é":3,"\u{1f600}":2,"\ufb33":1}',
    ),
    json(
      'letters beyond ASCII stay as they are',
      '"\\u00e9 e\\u0301 \\ud83e\\uddf1 \\u2028 \\u007f \\/"',
      '"é e\u0301 \u{1f9f1} \u2028 \u007f /"',
    ),
    json(
      'control characters are escaped in the shortest way',
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001F\\"\\\\"',
      '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\"\\\\"',
    ),
    json(
      'numbers are those of ECMAScript',
      '[0,-0,-0.0,4.50,2e-3,1E30,1e21,1e20,0.000001,1e-7,333333333.33333329,9007199254740993,-12.5]',
      '[0,0,0,4.5,0.002,1e+30,1e+21,100000000000000000000,0.000001,1e-7,333333333.3333333,9007199254740992,-12.5]',
    ),
    json(
      'null, false and empty values stay',
      '{ "c": null, "b": [ ], "a": { "x": false } }',
      '{"a":{"x":false},"b":[],"c":null}',
    ),
    { name: 'a lone surrogate', input: { json: '"\\ud800"' }, refused: 'UTF-8 cannot carry it' },
    { name: 'no number', input: { json: '[NaN]' }, refused: 'JSON has no such value' },
  ],
}

const chained = (name: string, scope: string, changes: readonly Numbered[], gen = GEN): Vector => ({
  name,
  input: {
    gen,
    scope,
    changes: changes.map(({ seq, op, id, state }) => ({
      seq,
      op,
      id,
      ...(state !== undefined && { sha256: hexOf(state) }),
    })),
  },
  expected: { chains: [chainStart(scope, gen), ...changes.map(({ chain }) => chain)] },
})

const LATER = '0000000000000008'
const far = { seq: 4_294_967_295, chain: chainStart('items', LATER) }

const CHAIN: Subject = {
  subject: 'chain',
  about:
    'chain_0 of a scope and the chain after each change. Ids are bare, without the tag of Atom. The first change follows chain_0 ' +
    'whatever its number is: a generation that began at a floor begins its chain there.',
  answer: '{ "chains": [HEX, ...] }: chain_0, then one for each change',
  vectors: [
    chained('nothing yet', 'items', []),
    chained('another scope', 'region/ES', []),
    chained('an upsert', 'items', numbered('items', [upsert('ci_a')])),
    chained(
      'an upsert, a delete, and the item again',
      'items',
      numbered('items', [upsert('ci_a'), { id: 'ci_a', op: 'delete' }, upsert('ci_a', { cents: 1 })]),
    ),
    chained('a leave of a region', 'region/ES', numbered('region/ES', [upsert('ci_a'), { id: 'ci_a', op: 'leave' }])),
    chained(
      'a generation that begins at a floor, with a number of more than 32 bits',
      'items',
      numbered('items', [upsert('ci_a'), upsert('ci_b')], far),
      LATER,
    ),
  ],
}

const root = (name: string, rows: Rows): Vector => {
  const buckets = bucketsOf(rows)
  const filled = [...new Set(Object.keys(rows).map(bucketOf))].sort((a, b) => a - b)
  return {
    name,
    input: { rows },
    expected: {
      state_root: rootOf(buckets),
      buckets: Object.fromEntries(filled.map((bucket) => [bucket, buckets[bucket]?.toString('hex')])),
    },
  }
}
const crowded = Object.fromEntries(idsIn(7, 4).map((id) => [id, stateOf(id)]))

const ROOT: Subject = {
  subject: 'state-root',
  about:
    'The root of the rows of a scope: SHA-256 of each state by bare id. A bucket without rows is the SHA-256 of nothing.',
  answer: '{ "state_root": HEX, "buckets": { NUMBER: HEX } } with the buckets that have rows',
  vectors: [
    root('no rows', {}),
    root('one row', rowsOf({ ci_a: stateOf('ci_a') })),
    root('several rows of one bucket, in byte order', rowsOf(crowded)),
    root('rows of several buckets, given in another order', {
      ...rowsOf({ ci_z: stateOf('ci_z') }),
      ...rowsOf({ ...crowded, ci_a: stateOf('ci_a'), ci_aa: stateOf('ci_aa') }),
    }),
  ],
}

/** 256 hashes of these rows, as an origin's digest document. */
const digestText = (rows: Rows, { scope = 'items', seq = 10 } = {}): string => {
  const buckets = bucketsOf(rows)
  return JSON.stringify({
    protocol: 'ccm/1',
    gen: GEN,
    scope,
    seq,
    count: Object.keys(rows).length,
    state_root: rootOf(buckets),
    buckets: buckets.map((bucket) => bucket.toString('hex')),
  })
}
const theirs = rowsOf({ ...crowded, ci_a: stateOf('ci_a') })
const theirRoot = rootOf(bucketsOf(theirs))
const { ci_a: _lost, ...withoutA } = theirs

const DIGEST: Subject = {
  subject: 'digest',
  about:
    'A digest document, checked against the root in state.json, and the buckets in which the rows of a copy differ.',
  answer: '{ "differ": [NUMBER, ...] }, ascending',
  vectors: [
    {
      name: 'equal rows',
      input: { text: digestText(theirs), state_root: theirRoot, rows: theirs },
      expected: { differ: [] },
    },
    {
      name: 'a lost row and an altered one',
      input: {
        text: digestText(theirs),
        state_root: theirRoot,
        rows: { ...withoutA, [idsIn(7, 1)[0] as string]: hexOf('rot') },
      },
      expected: { differ: [7, bucketOf('ci_a')].sort((a, b) => a - b) },
    },
    {
      name: 'hashes that do not give the root',
      input: { text: digestText(theirs), state_root: hexOf('another'), rows: theirs },
      refused: 'the buckets do not hash to the root that state.json names',
    },
  ],
}

export const DIGESTS: readonly Subject[] = [CANONICAL, CHAIN, ROOT, DIGEST]
