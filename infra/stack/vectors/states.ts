import {
  bucketOf,
  bucketsOf,
  chainStart,
  GEN,
  gzipOf,
  hexOf,
  rootOf,
  rowsOf,
  type Subject,
  stateOf,
  type Vector,
} from './model.ts'

/** Vectors of state.json, of manifests and of shards. */

const URL = 'https://catalog.example/v1/feeds/state.json'
const FEEDS = 'https://catalog.example/v1/feeds/'
const CHAIN = hexOf('chain at the head')
const OLD = '0000000000000006'
const NEW = '0000000000000008'

type Members = Readonly<Record<string, unknown>>
const scopeEntry = (scope: string, more: Members = {}) => ({
  head: 12,
  chain: CHAIN,
  floor: 0,
  closed: 2,
  subscription: scope === 'items' ? 'items.atom' : scope,
  archive: `archive/${GEN}/${scope}/{page}.atom`,
  ...more,
})
const SNAPSHOT = {
  seq: 10,
  created_at: '2026-01-06T00:00:00Z',
  count: 3,
  bytes: 9000,
  url: `snapshots/${GEN}/10/manifest.json`,
  sha256: hexOf('manifest'),
}
const DIGEST = {
  mark: 10,
  scopes: { items: { seq: 10, state_root: hexOf('root'), url: `digest/${GEN}/items/10.json` } },
}

/** A state.json with pages of five changes, whose head is 12. */
const stateText = (more: Members = {}, entry: Members = {}): string =>
  JSON.stringify({
    protocol: 'ccm/1',
    gen: GEN,
    page_size: 5,
    updated: '2026-01-05T02:00:00.000012Z',
    scopes: { items: scopeEntry('items', entry), 'region/ES': scopeEntry('region/ES', { head: 3, closed: 0 }) },
    digest: DIGEST,
    snapshot: SNAPSHOT,
    ...more,
  })

const held = (seq: number, more: Members = {}) => ({ gen: GEN, seq, chain: CHAIN, head: seq, ...more })
const input = (copy: object | null, text: string, scope = 'items') => ({ url: URL, scope, held: copy, text })
const says = (name: string, copy: object | null, text: string, expected: object, scope = 'items'): Vector => ({
  name,
  input: input(copy, text, scope),
  expected,
})
const refuses = (name: string, copy: object | null, text: string, refused: string, scope = 'items'): Vector => ({
  name,
  input: input(copy, text, scope),
  refused,
})

const read = (path: string) => ({ do: 'read', url: FEEDS + path })
const NOTHING = { do: 'nothing' }
const AT_SNAPSHOT = { do: 'begin', url: FEEDS + SNAPSHOT.url }
const AT_ZERO = { do: 'begin', chain: chainStart('items') }
const STALE = 'an old copy of a cache: ask again with no-cache, and never go back'

const STATE: Subject = {
  subject: 'state',
  about:
    'What a client does after a state.json that came past all caches (asked for with no-cache). `held` is its copy: the position, ' +
    'and as `head` the largest head that it has seen in that generation.',
  answer:
    '{ "do": "nothing" }, { "do": "read", "url" } of the next document, or { "do": "begin" } with the `url` of the manifest or, without ' +
    'a snapshot, with chain_0 as `chain`',
  vectors: [
    says('the first contact begins at the snapshot', null, stateText(), AT_SNAPSHOT),
    says(
      'the first contact without a snapshot begins at 0',
      null,
      stateText({ snapshot: null, digest: null }),
      AT_ZERO,
    ),
    says('at the head', held(12), stateText(), NOTHING),
    says(
      'at the head, with a digest that lags behind',
      held(12),
      stateText({ digest: { ...DIGEST, mark: 5 } }),
      NOTHING,
    ),
    says('within a closed page', held(7), stateText(), read(`archive/${GEN}/items/1.atom`)),
    says('at the end of a page, before a closed one', held(5), stateText(), read(`archive/${GEN}/items/1.atom`)),
    says('at the end of the last closed page', held(10), stateText({ digest: null }), read('items.atom')),
    says('within the open page', held(11), stateText(), read('items.atom')),
    says('a region', held(1), stateText(), read('region/ES'), 'region/ES'),
    says(
      'unknown members are ignored',
      held(11),
      stateText({ later: [1], signed_by: 'x' }, { later: { a: 1 } }),
      read('items.atom'),
    ),
    says('a later generation begins again', held(12, { gen: OLD }), stateText(), AT_SNAPSHOT),
    says('a position below the floor begins again', held(4), stateText({}, { floor: 5 }), AT_SNAPSHOT),
    says('a position at the floor goes on', held(5), stateText({}, { floor: 5 }), read(`archive/${GEN}/items/1.atom`)),
    says('a document was ahead of state.json, which never went back', held(13, { head: 12 }), stateText(), NOTHING),
    refuses('an older generation', held(3, { gen: NEW }), stateText(), STALE),
    refuses('an older generation at an equal head', held(12, { gen: NEW }), stateText(), STALE),
    refuses('a head that went back', held(14), stateText(), STALE),
    refuses(
      'another chain at an equal head',
      held(12, { chain: hexOf('another') }),
      stateText(),
      'history was rewritten: the copy stays, ask the operator',
    ),
    refuses(
      'a floor without a snapshot',
      null,
      stateText({ snapshot: null }, { floor: 5 }),
      'nothing gives the state at the floor',
    ),
    refuses('a scope that is not there', null, stateText(), 'a static tree may have fewer scopes', 'region/MX'),
    refuses('another protocol', held(11), stateText({ protocol: 'ccm/2' }), 'its rules are not known'),
    refuses(
      'an address on another host',
      null,
      stateText({ snapshot: { ...SNAPSHOT, url: 'https://other.example/manifest.json' } }),
      'addresses lie below the folder of state.json',
    ),
    refuses(
      'an address above the folder',
      held(11),
      stateText({}, { subscription: '../../items.atom' }),
      'addresses lie below the folder of state.json',
    ),
    refuses(
      'an address of a file',
      held(11),
      stateText({}, { subscription: 'file:///etc/passwd' }),
      'addresses lie below the folder of state.json',
    ),
    refuses('pages of no change', held(11), stateText({ page_size: 0 }), 'page_size is at least 1'),
    refuses('a head as text', held(11), stateText({}, { head: '12' }), 'head is a whole number'),
    refuses('a chain that is no hash', held(11), stateText({}, { chain: 'abc' }), 'a chain has 64 hex digits'),
    refuses('no generation', held(11), stateText({ gen: null }), 'gen is text'),
    refuses('an answer of a proxy', held(11), '<html></html>', 'it is no JSON'),
  ],
}

const STATES = {
  ci_a: stateOf('ci_a'),
  ci_b: stateOf('ci_b', { regions: ['EU', 'MX'] }),
  ci_c: stateOf('ci_c', { name: 'Teja \u{1f9f1}' }),
}
const shardFile = (bucket: number) => `${bucket.toString(16).padStart(2, '0')}.ndjson.gz`
const statesIn = (bucket: number) => Object.entries(STATES).filter(([id]) => bucketOf(id) === bucket)
const shardText = (bucket: number) =>
  statesIn(bucket)
    .map(([, state]) => `${state}\n`)
    .join('')
const shardEntry = (bucket: number) => {
  const packed = gzipOf(shardText(bucket))
  return {
    bucket,
    file: shardFile(bucket),
    count: statesIn(bucket).length,
    bytes: packed.length,
    sha256: hexOf(packed),
  }
}

const startOf = (scope: string) => {
  const here = Object.entries(STATES).filter(([, state]) => scope === 'items' || state.includes(`"${scope.slice(7)}"`))
  const buckets = bucketsOf(rowsOf(Object.fromEntries(here)))
  return {
    seq: scope === 'items' ? 10 : 3,
    chain: hexOf(`chain of ${scope}`),
    count: here.length,
    state_root: rootOf(buckets),
  }
}
const manifestText = (gen: string, shards: number) =>
  JSON.stringify({
    protocol: 'ccm/1',
    gen,
    seq: 10,
    created_at: '2026-01-06T00:00:00Z',
    licence: null,
    count: 3,
    state_root: startOf('items').state_root,
    scopes: { items: startOf('items'), 'region/MX': startOf('region/MX') },
    shards: Array.from({ length: shards }, (_, bucket) => shardEntry(bucket)),
    files: [],
  })
const manifest = (scope: string, text: string, sha256 = hexOf(text)) => ({
  scope,
  gen: GEN,
  snapshot: { ...SNAPSHOT, sha256 },
  url: FEEDS + SNAPSHOT.url,
  text,
})
const WHOLE = manifestText(GEN, 256)

const MANIFEST: Subject = {
  subject: 'manifest',
  about:
    'The manifest of a snapshot, checked against `snapshot` of a state.json of `gen`, and the start of a scope that it gives.',
  answer: '{ "seq", "chain", "count", "state_root" } of the scope',
  vectors: [
    { name: 'all items', input: manifest('items', WHOLE), expected: startOf('items') },
    {
      name: 'a region, whose numbers are its own',
      input: manifest('region/MX', WHOLE),
      expected: startOf('region/MX'),
    },
    {
      name: 'other bytes',
      input: manifest('items', WHOLE, hexOf('another')),
      refused: 'state.json names another SHA-256',
    },
    {
      name: 'another generation',
      input: manifest('items', manifestText(OLD, 256)),
      refused: 'the manifest is of another generation',
    },
    { name: 'fewer shards', input: manifest('items', manifestText(GEN, 2)), refused: 'there are 256 buckets' },
  ],
}

const bucketA = bucketOf('ci_a')
const shard = (scope: string, more: Members = {}, packed = gzipOf(shardText(bucketOf('ci_b')))) => ({
  scope,
  shard: { ...shardEntry(bucketOf('ci_b')), bytes: packed.length, sha256: hexOf(packed), ...more },
  gzip: packed.toString('base64'),
})
const rowsB = rowsOf({ ci_b: STATES.ci_b })

const SHARD: Subject = {
  subject: 'shard',
  about:
    'A shard file of a snapshot, as base64, with its entry in the manifest. Unpacked, a line without its end (0x0A) has exactly the bytes ' +
    'of a public state.',
  answer: '{ "rows": { ID: HEX } } of the states that are in the scope',
  vectors: [
    { name: 'all items', input: shard('items'), expected: { rows: rowsB } },
    { name: 'a region that the state names', input: shard('region/MX'), expected: { rows: rowsB } },
    { name: 'a region that it does not name', input: shard('region/ES'), expected: { rows: {} } },
    { name: 'an empty bucket', input: shard('items', { count: 0 }, gzipOf('')), expected: { rows: {} } },
    { name: 'a last line without an end', input: shard('items', {}, gzipOf(STATES.ci_b)), expected: { rows: rowsB } },
    {
      name: 'other bytes',
      input: shard('items', { sha256: hexOf('another') }),
      refused: 'the manifest names another SHA-256',
    },
    { name: 'fewer states', input: shard('items', { count: 2 }), refused: 'the manifest names 2 states' },
    {
      name: 'a state of another bucket',
      input: shard('items', { bucket: bucketA }),
      refused: 'its id belongs to another bucket',
    },
    {
      name: 'a file that was cut off',
      input: shard('items', {}, gzipOf(shardText(bucketOf('ci_b'))).subarray(0, -9)),
      refused: 'gzip ends too soon',
    },
  ],
}

export const STATE_SUBJECTS: readonly Subject[] = [STATE, MANIFEST, SHARD]
