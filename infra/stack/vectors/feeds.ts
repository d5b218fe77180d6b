import {
  type AtomParts,
  atomOf,
  chainStart,
  GEN,
  hexOf,
  type Numbered,
  ndjsonOf,
  numbered,
  type Rows,
  rowsOf,
  type Step,
  type Subject,
  stateOf,
  superseded,
  upsert,
  type Vector,
} from './model.ts'

/** Vectors of feed documents: what a copy is after one, and which ones change nothing. */

type At = Readonly<{ seq: number; chain: string }>
type Given = Readonly<{ scope?: string; from?: At; rows?: Rows; head?: At }>

const start = (scope: string): At => ({ seq: 0, chain: chainStart(scope) })
const gone = (id: string, mergedInto?: string): Step => ({ id, op: 'delete', ...(mergedInto && { mergedInto }) })
const leave = (id: string): Step => ({ id, op: 'leave' })

function inputOf(
  text: string,
  { scope = 'items', from = start(scope), rows = {}, head }: Given,
  changes: readonly Numbered[],
) {
  const { seq, chain } = head ?? (changes.at(-1) as Numbered)
  return { scope, position: { gen: GEN, ...from }, head: { seq, chain }, rows, text }
}

/** The copy after the changes. */
function expectedOf(changes: readonly Numbered[], { from, rows = {} }: Given): object {
  const held: Record<string, string> = { ...rows }
  for (const { seq, id, state, isSuperseded } of changes) {
    if (seq <= (from?.seq ?? 0) || isSuperseded) continue
    if (state === undefined) delete held[id]
    else held[id] = hexOf(state)
  }
  const { seq, chain } = changes.at(-1) as Numbered
  return { position: { gen: GEN, seq, chain }, rows: held }
}

const good = (name: string, steps: readonly Step[], given: Given & { parts?: Partial<AtomParts> } = {}): Vector => {
  const { scope = 'items', parts } = given
  const changes = numbered(scope, steps)
  return {
    name,
    input: inputOf(atomOf({ scope, changes, ...parts }), given, changes),
    expected: expectedOf(changes, given),
  }
}

const MIXED = [upsert('ci_a'), upsert('ci_b'), gone('ci_a'), upsert('ci_c', { cents: 7 }), upsert('ci_a', { cents: 8 })]
const mixed = numbered('items', MIXED)
const afterTwo = mixed[1] as Numbered
const two = { seq: 2, chain: afterTwo.chain }
const rowsAfterTwo = rowsOf({ ci_a: stateOf('ci_a'), ci_b: stateOf('ci_b') })

const bad = (name: string, refused: string, parts: Partial<AtomParts>, given: Given = {}): Vector => ({
  name,
  input: inputOf(atomOf({ changes: mixed, ...parts }), given, mixed),
  refused,
})
const altered = (name: string, refused: string, alter: (text: string) => string): Vector => ({
  name,
  input: inputOf(alter(atomOf({ changes: mixed })), {}, mixed),
  refused,
})

const tricky = upsert('ci_a', { name: '<"&\'> ]]> \u{1f9f1} e\u0301\u2028\tA\r\n' })
const references = (text: string) =>
  text
    .replace('\u{1f9f1}', '&#x1F9F1;')
    .replace('e\u0301', 'e&#769;')
    .replace('kg', '&#107;g')
    .replaceAll('"', '&quot;')

const floorStart = { seq: 500, chain: chainStart('items') }
const begun = numbered('items', [upsert('ci_a'), upsert('ci_b')], floorStart)

const GOOD: readonly Vector[] = [
  good('upserts', [upsert('ci_a'), upsert('ci_b')]),
  good('tombstones: a delete, and a merge into another item', [
    upsert('ci_a'),
    upsert('ci_b'),
    upsert('ci_c'),
    gone('ci_a'),
    gone('ci_b', 'ci_c'),
  ]),
  good('an item that comes back', MIXED),
  good('a leave: the item stays in other regions', [upsert('ci_a'), upsert('ci_b'), leave('ci_a')], {
    scope: 'region/ES',
  }),
  good('the changes after the position alone', MIXED, { from: two, rows: rowsAfterTwo }),
  good('superseded changes count in numbers and chain', [
    superseded(upsert('ci_a')),
    superseded(gone('ci_a')),
    upsert('ci_b'),
    upsert('ci_a', { cents: 9 }),
  ]),
  good('superseded by a tombstone', [superseded(upsert('ci_a')), upsert('ci_b'), gone('ci_a')]),
  good('an item twice, on both sides of a mark', [upsert('ci_a'), upsert('ci_b'), upsert('ci_a', { cents: 3 })]),
  good('other prefixes of the namespaces', MIXED, { parts: { prefixes: { atom: 'a:', at: 't:', ccm: 'x:' } } }),
  good('unknown elements are ignored', MIXED, {
    parts: { more: '<ccm:later since="2"><ccm:seq>9</ccm:seq></ccm:later><f:x xmlns:f="urn:f">1</f:x>' },
  }),
  good('a document ahead of state.json', MIXED, { head: two }),
  {
    name: 'references of XML stand for their characters',
    input: inputOf(
      atomOf({ changes: numbered('items', [tricky]) }).replace(/(?<=<ccm:state>).*(?=<\/ccm:state>)/s, references),
      {},
      numbered('items', [tricky]),
    ),
    expected: expectedOf(numbered('items', [tricky]), {}),
  },
  {
    name: 'the first changes of a generation that began at a floor',
    input: inputOf(atomOf({ changes: begun }), { from: floorStart }, begun),
    expected: expectedOf(begun, {}),
  },
]

const BAD: readonly Vector[] = [
  bad('a missing number', 'change 3 is not there', { changes: mixed.filter(({ seq }) => seq !== 3) }),
  bad('a number that comes twice', 'change 2 is there twice', { changes: mixed.toSpliced(2, 0, afterTwo) }),
  bad('a number outside the document', 'change 5 lies behind ccm:last', {
    last: 4,
    chain: (mixed[3] as Numbered).chain,
  }),
  bad('another generation', 'ask again for state.json: the generation changed', { gen: '0000000000000009' }),
  bad('another scope', 'the document is of region/ES', { scope: 'region/ES' }),
  bad('a document that begins too late', 'ask again for state.json: pages were closed meanwhile', {
    changes: mixed.slice(3),
  }),
  bad(
    'a document that ends at the position',
    'ask again: the copy of a cache is old',
    { changes: mixed.slice(0, 2) },
    { from: two, rows: rowsAfterTwo },
  ),
  bad('another chain at its end', 'the chain from the position does not give ccm:chain', { chain: hexOf('another') }),
  bad(
    'another chain than that of state.json at the head',
    'history was rewritten',
    {},
    { head: { seq: 5, chain: hexOf('another') } },
  ),
  bad(
    'a chain that does not continue that of the copy',
    'the copy has another history',
    {},
    { from: { seq: 2, chain: hexOf('another') }, rows: rowsAfterTwo },
  ),
  bad(
    'a superseded change without a later one of its item',
    'the rest does not give the state at the end',
    {
      changes: numbered('items', [superseded(upsert('ci_a')), upsert('ci_b')]),
    },
    { head: { seq: 2, chain: (numbered('items', [upsert('ci_a'), upsert('ci_b')])[1] as Numbered).chain } },
  ),
  altered('an altered digit of a state', 'the state has another SHA-256', (text) =>
    text.replace('"cents":1250', '"cents":1251'),
  ),
  altered('an altered id', 'the chain is about another item', (text) => text.replace('item/ci_b', 'item/ci_x')),
  altered('an altered tombstone', 'the chain is about another op', (text) =>
    text.replace('<ccm:op>delete<', '<ccm:op>leave<'),
  ),
  altered('an entry that says it is a delete', 'an entry is an upsert', (text) =>
    text.replace('<ccm:op>upsert<', '<ccm:op>delete<'),
  ),
  altered('a number that is none', 'ccm:seq is no whole number', (text) => text.replace('<ccm:seq>4<', '<ccm:seq>+4<')),
  altered('a document type', 'entities have no bound, and feeds need none', (text) =>
    text.replace('?>', '?><!DOCTYPE feed [<!ENTITY a "b">]>'),
  ),
  altered('a document that was cut off', 'it is no XML', (text) => text.slice(0, text.length / 2)),
  altered('an answer of a proxy', 'it is no feed', () => '<html><body>Sign in</body></html>'),
]

const line = (name: string, changes: readonly Numbered[], given: Given = {}): Vector => ({
  name,
  input: inputOf(ndjsonOf(changes), given, changes),
  expected: expectedOf(changes, given),
})
const wrongLine = (name: string, refused: string, alter: (text: string) => string): Vector => ({
  name,
  input: inputOf(alter(ndjsonOf(mixed)), {}, mixed),
  refused,
})

const SINCE: readonly Vector[] = [
  line('upserts and a delete', mixed),
  line(
    'a leave and a merge',
    numbered('region/ES', [upsert('ci_a'), upsert('ci_b'), leave('ci_a'), gone('ci_b', 'ci_c')]),
    { scope: 'region/ES' },
  ),
  line('the lines after a position', mixed.slice(2), { from: two, rows: rowsAfterTwo }),
  line(
    'states whose text looks like a line',
    numbered('items', [upsert('ci_a', { name: ',"state":{"a":1}}\n \u{1f9f1} é' }), tricky]),
  ),
  wrongLine('a state in other bytes of the same value', 'the bytes of `state` have another SHA-256', (text) =>
    text.replace('"unit":"kg"', '"unit": "kg"'),
  ),
  wrongLine('a missing line', 'change 2 is not there', (text) => text.split('\n').toSpliced(1, 1).join('\n')),
  wrongLine('lines in another order', 'they ascend', (text) => text.trimEnd().split('\n').toReversed().join('\n')),
  wrongLine('another chain', 'the chain from the position does not give it', (text) =>
    text.replace(afterTwo.chain, hexOf('another')),
  ),
  wrongLine('a line that was cut off', 'it is no JSON', (text) => text.slice(0, -40)),
]

const ANSWER = '{ "position": { "gen", "seq", "chain" }, "rows": { ID: HEX } } of the copy after the document'

export const FEEDS: readonly Subject[] = [
  {
    subject: 'atom',
    about:
      'An Atom document, read by a copy of `scope` at `position` with `rows` (SHA-256 of each state). `head` is the scope’s head ' +
      'in state.json.',
    answer: ANSWER,
    vectors: [...GOOD, ...BAD],
  },
  {
    subject: 'ndjson',
    about:
      'An answer of ?since=N as application/x-ndjson, read as in atom.json. `state` is the last member: its bytes are hashed as they are.',
    answer: ANSWER,
    vectors: SINCE,
  },
]
