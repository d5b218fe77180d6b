import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { READER_ENTRIES } from '@catalog/api/contract/contract.ts'
import { jing, jingAvailable, npmPrograms, python, pythonAvailable, runTool } from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, runJudges, skipped, type Verdict } from '@catalog/judge/harness/verdict.ts'
import type { FeedsUnderTest } from './feeds-under-test.ts'
import { type Chains, sequenceFaults, startChains } from './sequence-rules.ts'
import { ATOM, type Fault, type Feed, type FetchedDocument, faultsOf, RULES, readFeed } from './validator-rules.ts'
import { textOf } from './xml.ts'

/** Runs every judge of the feeds. */
export async function judgeFeeds(
  feeds: FeedsUnderTest,
  report: (verdict: Verdict) => void,
): Promise<readonly Verdict[]> {
  const { documents, forReaders } = feeds
  const files = writeDocuments([...documents, ...forReaders], feeds)
  const ofProtocol = files.slice(0, documents.length)
  const judges: Judge[] = [
    {
      name: 'jing, RFC 4287',
      run: () => judgeGrammar('atom.rnc', { files, folder: feeds.folder, mutations: ATOM_MUTATIONS }),
    },
    {
      name: 'jing, ccm/1',
      run: () => judgeGrammar('ccm.rnc', { files: ofProtocol, folder: feeds.folder, mutations: CCM_MUTATIONS }),
    },
    { name: 'feedparser', run: () => judgeFeedparser(files, feeds) },
    { name: 'rss-parser', run: () => judgeRssParser(files) },
    { name: 'rules of the W3C validator', run: async () => judgeRules(feeds) },
    { name: 'numbers and chains', run: async () => judgeSequence(feeds) },
    { name: 'bytes for readers', run: async () => compareSizes(feeds) },
  ]
  return await runJudges(judges, report)
}

type File = Readonly<{ document: FetchedDocument; path: string; text: string; isAtom: boolean }>

/** Writes each document to a file. */
function writeDocuments(documents: readonly FetchedDocument[], { folder }: FeedsUnderTest): readonly File[] {
  return documents.map((document, i) => {
    const isAtom = document.contentType.startsWith('application/atom+xml')
    const path = join(folder, `${i}.${isAtom ? 'atom' : 'rss'}`)
    writeFileSync(path, document.bytes)
    return { document, path, text: Buffer.from(document.bytes).toString(), isAtom }
  })
}

/** A mutation of the first document that a grammar must refuse. */
type Mutation = readonly [from: string | RegExp, to: string]
const ATOM_MUTATIONS: readonly Mutation[] = [
  [/<id>[^<]*<\/id>/, ''],
  ['</author>', '</author><author/>'],
  [/(<entry>.*?<updated>)[^<]*/s, '$1yesterday'],
  ['<entry>', '<entry><guid>1</guid>'],
  // Foreign markup of a feed must precede its entries.
  [/<\/entry>\s*<\/feed>/, '</entry><foreign xmlns="urn:foreign"/></feed>'],
]
const CCM_MUTATIONS: readonly Mutation[] = [
  ['<entry>', '<entry><foreign xmlns="urn:foreign"/>'],
  [/<ccm:chain>.*<\/ccm:chain>/, '<ccm:chain>1</ccm:chain>'],
  [/(<entry>.*?<ccm:op>)upsert/s, '$1leave'],
  [/<fh:archive\/>/, '<fh:archive>1</fh:archive>'],
  [/<ccm:version>\d+<\/ccm:version>/, ''],
]

/** Checks every Atom document against the grammar, and that the grammar refuses the mutations. */
async function judgeGrammar(
  schema: string,
  { files, folder, mutations: planted }: { files: readonly File[]; folder: string; mutations: readonly Mutation[] },
) {
  const reason = jingAvailable()
  if (reason !== null) return skipped(reason)
  const atoms = files.filter(({ isAtom }) => isAtom)
  const answer = await jing(
    schema,
    atoms.map(({ path }) => path),
  )
  if (answer.code !== 0) return failed(`documents break ${schema}`, answer.stdout + answer.stderr)
  for (const [i, [from, to]] of planted.entries()) {
    const path = join(folder, `planted-${i}.atom`)
    const { text } = atoms[0] as File
    const changed = text.replace(from, to)
    if (changed === text) return failed(`the check is blind: ${from} is not in ${atoms[0]?.document.url}`, '')
    writeFileSync(path, changed)
    if ((await jing(schema, [path])).code === 0) return failed(`the check is blind: it passes ${to} for ${from}`, '')
  }
  return passed(`${atoms.length} documents; of ${planted.length} planted faults all are refused`)
}

/** The entry ids that an independent reader must find, in order. */
function expectedIds({ document }: File): readonly string[] {
  const feed = readFeed(document)
  if ('rule' in feed) return []
  const [ns, name] = feed.kind === 'atom' ? [ATOM, 'id'] : ['', 'guid']
  return feed.entries.map((entry) => textOf(entry, ns, name) ?? '')
}

/** Cuts the document before its last element is closed. */
const truncated = ({ text }: File) => text.trimEnd().slice(0, -1)

async function judgeFeedparser(files: readonly File[], { folder }: FeedsUnderTest) {
  const reason = await pythonAvailable()
  if (reason !== null) return skipped(reason)
  const [first] = files as readonly [File, ...File[]]
  const broken = { ...first, path: join(folder, 'broken.atom') }
  writeFileSync(broken.path, truncated(first))
  const pairs = [...files, broken].flatMap(({ path, document }) => [path, document.contentType])
  const script = join(import.meta.dirname, 'feeds.py')
  const options = { cwd: import.meta.dirname, timeoutMs: READ_TIMEOUT_MS, env: { PYTHONDONTWRITEBYTECODE: '1' } }
  const answer = await runTool(await python(), [script, ...pairs], options)
  if (answer.code !== 0) return failed('feedparser could not read them', answer.stdout + answer.stderr)
  const lines = answer.stdout.trim().split('\n')
  if ((JSON.parse(lines.at(-1) ?? '{}') as Parsed).problem === null) return failed('the check is blind', '')
  const faults = files.flatMap((file, i) => {
    const { problem, version, entries } = JSON.parse(lines[i] ?? '{}') as Parsed
    const [ids, expected] = [entries.map(({ id }) => id), expectedIds(file)]
    const expectedVersion = file.isAtom ? 'atom10' : 'rss20'
    const says = [
      problem,
      version === expectedVersion ? null : `version ${version}, expected ${expectedVersion}`,
      isSame(ids, expected) ? null : `other entries than the ${expected.length}`,
      entries.every(({ dated }) => dated) ? null : 'a date that it cannot read',
    ]
    return says.flatMap((fault) => (fault === null ? [] : [`${file.document.url}: ${fault}`]))
  })
  return summarize({ files, faults })
}
type Parsed = Readonly<{ problem: string | null; version: string; entries: readonly { id: string; dated: boolean }[] }>
/** feedparser needs seconds for a page of 500 entries. */
const READ_TIMEOUT_MS = 600_000

async function judgeRssParser(files: readonly File[]) {
  await npmPrograms()
  // Required at runtime, because npmPrograms installs it on demand.
  const Parser = createRequire(import.meta.url)('rss-parser') as new () => {
    parseString(xml: string): Promise<{ items: readonly { id?: string; guid?: string; isoDate?: string }[] }>
  }
  const [first] = files as readonly [File, ...File[]]
  const isBlind = await new Parser().parseString(truncated(first)).then(
    () => true,
    () => false,
  )
  if (isBlind) return failed('the check is blind', '')
  const faults: string[] = []
  for (const file of files) {
    const { url } = file.document
    const { items } = await new Parser().parseString(file.text)
    const expected = expectedIds(file)
    const ids = items.map(({ id, guid }) => id ?? guid ?? '')
    if (!isSame(ids, expected)) faults.push(`${url}: other entries than the ${expected.length}`)
    const isDated = items.every(({ isoDate }) => !Number.isNaN(Date.parse(isoDate ?? '')))
    if (!isDated) faults.push(`${url}: a date that it cannot read`)
  }
  return summarize({ files, faults })
}

/** Checks every rule on every document. */
export function judgeRules({ documents, forReaders }: Pick<FeedsUnderTest, 'documents' | 'forReaders'>) {
  const now = new Date()
  const files = [...documents, ...forReaders]
  const faults = files.flatMap((document) => faultTexts(document, faultsOf(document, { now })))
  return summarize({ files, faults, what: `${RULES.length + 1} rules` })
}

/** Compares each view for readers with the whole document at the same address. */
export function compareSizes({ documents, forReaders }: Pick<FeedsUnderTest, 'documents' | 'forReaders'>) {
  const sizes = forReaders.flatMap(({ url, bytes }) => {
    const whole = documents.find((document) => document.url === url.split('?')[0])
    return whole === undefined ? [] : [{ url, bytes: bytes.length, whole: whole.bytes.length }]
  })
  const faults = sizes.flatMap(({ url, bytes, whole }) =>
    bytes > whole ? [`${url}: ${bytes} bytes, more than the ${whole} of the whole document`] : [],
  )
  const few = sizes.filter(({ url }) => url.endsWith(`limit=${READER_ENTRIES}`))
  const what = few.map(({ url, bytes, whole }) => `${url.split('/').at(-1)} ${bytes} of ${whole} bytes`).join(', ')
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
    const feed = readFeed(document)
    if ('rule' in feed) return faultTexts(document, [feed])
    return faultTexts(document, sequenceFaults(feed as Feed, { gen, scope, chains: chains.get(scope) as Chains }))
  })
  for (const [scope, { head, chain }] of Object.entries(state.scopes)) {
    const found = Buffer.from(chains.get(scope)?.get(head) ?? []).toString('hex')
    if (found !== chain) faults.push(`state.json: ${scope} at ${head} has chain ${chain}, expected ${found}`)
  }
  const changes = Object.values(state.scopes).reduce((sum, { head }) => sum + head, 0)
  return summarize({ files: documents, faults, what: `${changes} changes in ${chains.size} scopes` })
}

const faultTexts = ({ url }: FetchedDocument, faults: readonly Fault[]) =>
  faults.map(({ rule, says }) => `${url}: ${rule}: ${says}`)

const isSame = (found: readonly string[], expected: readonly string[]) =>
  found.length === expected.length && found.every((id, i) => id === expected[i])

function summarize({ files, faults, what }: { files: readonly unknown[]; faults: readonly string[]; what?: string }) {
  const says = `${files.length} documents, ${what === undefined ? '' : `${what}, `}${faults.length} faults`
  return faults.length === 0 ? passed(says) : failed(says, faults.join('\n'))
}
