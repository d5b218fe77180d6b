import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { READER_ENTRIES } from '@catalog/api/contract/contract.ts'
import { jing, jingAvailable, npmPrograms, python, pythonAvailable, runTool } from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import type { FeedsUnderTest } from './feeds-under-test.ts'
import { type FeedKind, type FetchedDocument, readFeed, textOf } from './read-feed.ts'
import { type Chains, sequenceFaults, startChains } from './sequence-rules.ts'

/** Runs every judge of the feeds. */
export async function judgeFeeds(
  feeds: FeedsUnderTest,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const { documents, forReaders } = feeds
  const files = writeDocuments([...documents, ...forReaders], feeds)
  const ofProtocol = files.slice(0, documents.length)
  const ofReaders = files.slice(documents.length)
  const { folder } = feeds
  const judges: Judge[] = [
    {
      name: 'jing, RFC 4287',
      run: () => judgeGrammar('atom.rnc', { files: of('atom', files), folder, mutations: MUTATIONS.atom }),
    },
    {
      name: 'jing, ccm/1',
      run: () => judgeGrammar('ccm.rnc', { files: of('atom', ofProtocol), folder, mutations: MUTATIONS.ccm }),
    },
    {
      name: 'jing, Atom for readers',
      run: () => judgeGrammar('readers.rnc', { files: of('atom', ofReaders), folder, mutations: MUTATIONS.readers }),
    },
    {
      name: 'jing, RSS 2.0',
      run: () => judgeGrammar('rss.rnc', { files: of('rss', files), folder, mutations: MUTATIONS.rss }),
    },
    { name: 'feedparser', run: () => judgeFeedparser(files, feeds) },
    { name: 'rss-parser', run: () => judgeRssParser(files) },
    { name: 'JSON Feed 1.1', run: () => judgeJsonFeeds(feeds) },
    { name: 'numbers and chains', run: async () => judgeSequence(feeds) },
    { name: 'bytes for readers', run: async () => compareSizes(feeds) },
  ]
  return await runJudges(judges, report)
}

type File = Readonly<{ document: FetchedDocument; path: string; text: string; kind: FeedKind }>

const of = (kind: FeedKind, files: readonly File[]) => files.filter((file) => file.kind === kind)

/** Writes each document to a file. */
function writeDocuments(documents: readonly FetchedDocument[], { folder }: FeedsUnderTest): readonly File[] {
  return documents.map((document, i) => {
    const kind = document.contentType.startsWith('application/atom+xml') ? 'atom' : 'rss'
    const path = join(folder, `${i}.${kind}`)
    writeFileSync(path, document.bytes)
    return { document, path, text: Buffer.from(document.bytes).toString(), kind }
  })
}

/** A mutation of the first document that has this text. */
type Mutation = Readonly<{ to: string } & ({ text: string } | { pattern: string })>
const MUTATIONS: Readonly<Record<'atom' | 'ccm' | 'readers' | 'rss' | 'json', readonly Mutation[]>> = parse(
  readFileSync(join(import.meta.dirname, 'mutations.yaml'), 'utf8'),
)

/**
 * Why a check is blind: no text has what a mutation changes, or it passes a changed text. Null where it refuses all.
 */
async function blindTo(
  mutations: readonly Mutation[],
  texts: readonly string[],
  passes: (changed: string, number: number) => boolean | Promise<boolean>,
): Promise<string | null> {
  for (const [i, mutation] of mutations.entries()) {
    const from = 'text' in mutation ? mutation.text : new RegExp(mutation.pattern, 's')
    const text = texts.find((one) => (typeof from === 'string' ? one.includes(from) : from.test(one)))
    if (text === undefined) return `no document has ${from}`
    if (await passes(text.replace(from, mutation.to), i)) return `it passes ${mutation.to} for ${from}`
  }
  return null
}

/** Checks every document against the grammar, and that the grammar refuses the mutations. */
async function judgeGrammar(
  schema: string,
  { files, folder, mutations }: { files: readonly File[]; folder: string; mutations: readonly Mutation[] },
) {
  const reason = jingAvailable()
  if (reason !== null) return skipped(reason)
  const answer = await jing(
    schema,
    files.map(({ path }) => path),
  )
  if (answer.code !== 0) return failed(`documents break ${schema}`, answer.stdout + answer.stderr)
  const blind = await blindTo(
    mutations,
    files.map(({ text }) => text),
    async (changed, i) => {
      const path = join(folder, `planted-${i}.xml`)
      writeFileSync(path, changed)
      return (await jing(schema, [path])).code === 0
    },
  )
  if (blind !== null) return failed(`the check is blind: ${blind}`, '')
  return passed(`${files.length} documents; of ${mutations.length} planted faults all are refused`)
}

/** The entry ids that an independent reader must find, in order. */
function expectedIds({ document }: File): readonly string[] {
  const { kind, entries } = readFeed(document)
  return entries.map((entry) => textOf(entry, kind === 'atom' ? 'id' : 'guid') ?? '')
}

/** Cuts the document before its last element is closed. */
const truncated = ({ text }: File) => text.trimEnd().slice(0, -1)

async function judgeFeedparser(files: readonly File[], { folder }: FeedsUnderTest) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const [first] = files as readonly [File, ...File[]]
  const planted = [truncated(first), first.text.replace('rel="self"', 'rel="related"'), twice(first.text)].map(
    (text, i) => ({ ...first, text, path: join(folder, `planted-${i}.atom`) }),
  )
  for (const { path, text } of planted) writeFileSync(path, text)
  const read = [...files, ...planted]
  const pairs = read.flatMap(({ path, document }) => [path, document.contentType])
  const script = join(import.meta.dirname, 'feeds.py')
  const options = { cwd: import.meta.dirname, timeoutMs: READ_TIMEOUT_MS, env: { PYTHONDONTWRITEBYTECODE: '1' } }
  const answer = await runTool(await python(), [script, ...pairs], options)
  if (answer.code !== 0) return failed('feedparser could not read them', answer.stdout + answer.stderr)
  const lines = answer.stdout.trim().split('\n')
  const faults = read.map((file, i) => parsedFaults(JSON.parse(lines[i] ?? '{}') as Parsed, file))
  const blind = planted.findIndex((_, i) => faults[files.length + i]?.length === 0)
  if (blind >= 0) return failed(`the check is blind: it passes planted fault ${blind}`, '')
  return summarize({ files, faults: faults.slice(0, files.length).flat() })
}
type Parsed = Readonly<{
  problem: string | null
  version: string
  self: string | null
  entries: readonly Readonly<{ id: string; updated: string; dated: boolean }>[]
}>
/** feedparser needs seconds for a page of 500 entries. */
const READ_TIMEOUT_MS = 600_000

const VERSIONS = { atom: 'atom10', rss: 'rss20' }
const TYPES = { atom: 'application/atom+xml; charset=utf-8', rss: 'application/rss+xml; charset=utf-8' }

function parsedFaults({ problem, version, self, entries }: Parsed, file: File): readonly string[] {
  const { kind, document } = file
  if (problem !== null) return [`${document.url}: ${problem}`]
  const expected = expectedIds(file)
  // An id may come twice with different dates (RFC 4287, 4.1.1); a guid may not.
  const keys = entries.map(({ id, updated }) => (kind === 'atom' ? `${id} of ${updated}` : id))
  const says = [
    version === VERSIONS[kind] ? null : `version ${version}, expected ${VERSIONS[kind]}`,
    self === document.url ? null : `self is ${self}`,
    document.contentType === TYPES[kind] ? null : `Content-Type '${document.contentType}', expected '${TYPES[kind]}'`,
    isSame(
      entries.map(({ id }) => id),
      expected,
    )
      ? null
      : `other entries than the ${expected.length}`,
    new Set(keys).size === keys.length ? null : 'an entry twice',
    entries.every(({ dated }) => dated) ? null : 'a date that it cannot read',
  ]
  return says.flatMap((fault) => (fault === null ? [] : [`${document.url}: ${fault}`]))
}

/** The document with its first entry twice. */
const twice = (text: string) => text.replace(/<entry>.*?<\/entry>/s, '$&$&')

async function judgeRssParser(files: readonly File[]) {
  await npmPrograms()
  // Required at runtime, because npmPrograms installs it on demand.
  const Parser = createRequire(import.meta.url)('rss-parser') as RssParser
  const read = async (text: string) =>
    (await new Parser({ customFields: { item: ['ccm:state'] } }).parseString(text)).items
  const [first] = files as readonly [File, ...File[]]
  const isBlind = await read(truncated(first)).then(
    () => true,
    () => false,
  )
  const escapedTwice = await read(first.text.replace(/<title>[^<]*/g, (title) => title.replaceAll('&lt;', '&amp;lt;')))
  if (isBlind || escapedTwice.every(showsName)) return failed('the check is blind', '')
  const faults: string[] = []
  for (const file of files) {
    const { url } = file.document
    const items = await read(file.text)
    const expected = expectedIds(file)
    const ids = items.map(({ id, guid }) => id ?? guid ?? '')
    if (!isSame(ids, expected)) faults.push(`${url}: other entries than the ${expected.length}`)
    const isDated = items.every(({ isoDate }) => !Number.isNaN(Date.parse(isoDate ?? '')))
    if (!isDated) faults.push(`${url}: a date that it cannot read`)
    for (const item of items) if (!showsName(item)) faults.push(`${url}: another name in ${item.title}`)
  }
  return summarize({ files, faults })
}
type RssParser = new (
  options: object,
) => {
  parseString(xml: string): Promise<{ items: readonly RssItem[] }>
}
type RssItem = Readonly<{ [name in 'id' | 'guid' | 'isoDate' | 'title' | 'ccm:state' | 'contentSnippet']?: string }>

/** Whether its texts begin with the vendor's name, escaped once; true without a state. */
function showsName({ title = '', contentSnippet, 'ccm:state': state }: RssItem): boolean {
  if (state === undefined) return true
  const { name } = (JSON.parse(state) as { item: { name: string } }).item
  return title.startsWith(name) && (contentSnippet?.startsWith(name.trimStart()) ?? true)
}

/** Checks every JSON Feed by its schema, its address and its media type. */
export async function judgeJsonFeeds({ jsonFeeds }: Pick<FeedsUnderTest, 'jsonFeeds'>) {
  const schema = readFileSync(join(import.meta.dirname, 'json-feed.schema.json'), 'utf8')
  const ajv = new Ajv({ strict: false })
  const isValid = ajv.compile(JSON.parse(schema))
  const faults = jsonFeeds.flatMap(({ url, contentType, bytes }) => {
    const feed = JSON.parse(Buffer.from(bytes).toString())
    const says = [
      isValid(feed) ? null : ajv.errorsText(isValid.errors),
      feed.feed_url === url ? null : `feed_url is ${feed.feed_url}`,
      contentType === 'application/feed+json' ? null : `Content-Type '${contentType}'`,
    ]
    return says.flatMap((fault) => (fault === null ? [] : [`${url}: ${fault}`]))
  })
  const texts = jsonFeeds.map(({ bytes }) => Buffer.from(bytes).toString())
  const blind = await blindTo(MUTATIONS.json, texts, (changed) => isValid(JSON.parse(changed)))
  if (blind !== null) return failed(`the check is blind: ${blind}`, '')
  return summarize({ files: jsonFeeds, faults, what: `${MUTATIONS.json.length} planted faults refused` })
}

/** Compares each view of the usual length with the whole document at the same address, which holds up to 100 entries. */
export function compareSizes({ documents, forReaders }: Pick<FeedsUnderTest, 'documents' | 'forReaders'>) {
  const usual = forReaders.filter(({ url }) => url.endsWith(`limit=${READER_ENTRIES}`))
  const sizes = usual.flatMap(({ url, bytes }) => {
    const whole = documents.find((document) => document.url === url.split('?')[0])
    return whole === undefined ? [] : [{ url, bytes: bytes.length, whole: whole.bytes.length }]
  })
  const faults = sizes.flatMap(({ url, bytes, whole }) =>
    bytes > whole ? [`${url}: ${bytes} bytes, more than the ${whole} of the whole document`] : [],
  )
  const what = sizes.map(({ url, bytes, whole }) => `${url.split('/').at(-1)} ${bytes} of ${whole} bytes`).join(', ')
  return summarize({ files: sizes, faults, what })
}

/**
 * Checks that each scope has all numbers from 1 to the head, and that chains recomputed from the states end as
 * state.json says.
 */
export function judgeSequence({ documents, state }: FeedsUnderTest) {
  const { gen } = state
  const chains = new Map<string, Chains>(Object.keys(state.scopes).map((scope) => [scope, startChains({ gen, scope })]))
  const faults = documents.flatMap((document) => {
    const { scope } = document
    const faults = sequenceFaults(readFeed(document), { gen, scope, chains: chains.get(scope) as Chains })
    return faults.map(({ rule, says }) => `${document.url}: ${rule}: ${says}`)
  })
  for (const [scope, { head, chain }] of Object.entries(state.scopes)) {
    const found = Buffer.from(chains.get(scope)?.get(head) ?? []).toString('hex')
    if (found !== chain) faults.push(`state.json: ${scope} at ${head} has chain ${chain}, expected ${found}`)
  }
  const changes = Object.values(state.scopes).reduce((sum, { head }) => sum + head, 0)
  return summarize({ files: documents, faults, what: `${changes} changes in ${chains.size} scopes` })
}

const isSame = (found: readonly string[], expected: readonly string[]) =>
  found.length === expected.length && found.every((id, i) => id === expected[i])

function summarize({ files, faults, what }: { files: readonly unknown[]; faults: readonly string[]; what?: string }) {
  const says = `${files.length} documents, ${what === undefined ? '' : `${what}, `}${faults.length} faults`
  return faults.length === 0 ? passed(says) : failed(says, faults.join('\n'))
}
