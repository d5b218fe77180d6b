import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { EntryPoint, SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { GuardedRequest } from '@catalog/runtime/fetch.ts'
import { Reply } from '@catalog/stack/shop/replies.ts'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Behaviour, type JudgedBehaviour, judgeBehaviours } from './behaviour.ts'
import { type CrawlOptions, crawlShop } from './crawl-shop.ts'
import { FINDINGS } from './findings.ts'
import type { Routes } from './shop-server.ts'

/** The files of tables/, in the order in which they are judged. */
const TABLES = ['http', 'pages', 'wire', 'body', 'robots', 'sitemap', 'hostile']

/** What a crawl of one shop needs. A group gives what its behaviours leave out. */
const SHARED = {
  /** What is crawled: the kind of an entry point and its path, or an entry point as a whole. */
  entry: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  /** The name of a finding. */
  found: z.enum(Object.keys(FINDINGS) as [string, ...string[]]).optional(),
  /** The found text that is right. */
  expected: z.string().optional(),
  spec: z.record(z.string(), z.unknown()).optional(),
}
const Replies = z.union([Reply, z.array(Reply)])
/** Replies by path; `{1..7}` in a path makes seven, which hold their number as `{n}` or the next as `{n+1}`. */
const RouteTable = z.record(z.string(), z.unknown()).default({})
const Stub = z.strictObject({ status: z.int().default(200), to: z.string().optional(), body: z.string().default('') })
const Row = z.strictObject({
  ...SHARED,
  name: z.string(),
  /** At the path that the group names. */
  reply: z.unknown().optional(),
  routes: RouteTable,
  exempt: z.string().optional(),
  crawls: z.int().optional(),
  limits: z.record(z.string(), z.number()).optional(),
  /** Instead of a server: replies by protocol, for what a plain server cannot show. */
  protocols: z.record(z.string(), Stub).optional(),
})
const Group = z.strictObject({
  ...SHARED,
  group: z.string(),
  at: z.string().optional(),
  routes: RouteTable,
  behaviours: z.array(Row),
})

/** All behaviours of shops that the crawler is judged by, in the order of their groups. */
export const BEHAVIOURS: readonly Behaviour[] = TABLES.flatMap((name) => {
  const file = new URL(`./tables/${name}.yaml`, import.meta.url)
  return z
    .array(Group)
    .parse(parse(readFileSync(file, 'utf8')))
    .flatMap((group) => group.behaviours.map((row) => behaviourOf(group, row)))
})

function behaviourOf(group: z.infer<typeof Group>, row: z.infer<typeof Row>): Behaviour {
  const { entry = '', found = 'summary', expected = '', spec } = { ...group, ...row }
  const { crawls, limits, protocols, exempt } = row
  const own = row.reply === undefined ? {} : { [group.at as string]: row.reply }
  const options: CrawlOptions = {
    routes: routesOf({ ...group.routes, ...own, ...row.routes }),
    entry: entryOf(entry),
    ...(spec && { spec: spec as Partial<SourceSpec> }),
    ...(limits && { limits }),
    ...(crawls && { crawls }),
    ...(protocols && { request: stubbed(protocols) }),
  }
  return {
    group: group.group,
    name: row.name,
    expected,
    ...(exempt !== undefined && { exempt }),
    find: async (plant) => (FINDINGS[found] as (typeof FINDINGS)[string])(await crawlShop({ ...options, plant })),
  }
}

function entryOf(entry: NonNullable<z.infer<typeof SHARED.entry>>): EntryPoint {
  if (typeof entry !== 'string') return entry as EntryPoint
  const [kind, path] = entry.split(' ')
  const url = `{shop}${path}`
  if (kind === 'site') return { kind, url, follow: [], include: ['/p/*'], exclude: [] }
  if (kind === 'sitemap') return { kind, url, include: [], exclude: [] }
  return { kind, url } as EntryPoint
}

function routesOf(table: Readonly<Record<string, unknown>>): Routes {
  const all = Object.entries(table).flatMap(([path, reply]) => {
    const [range = '', from, to] = /\{(\d+)\.\.(\d+)\}/.exec(path) ?? []
    if (from === undefined) return [[path, reply]]
    const text = JSON.stringify(reply)
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => {
      const n = Number(from) + i
      const numbered = text.replaceAll('{n}', String(n)).replaceAll('{n+1}', String(n + 1))
      return [path.replace(range, String(n)), JSON.parse(numbered)]
    })
  })
  return z.record(z.string(), Replies).parse(Object.fromEntries(all))
}

/** Answers by protocol, without a network; robots.txt is missing. */
function stubbed(answers: Readonly<Record<string, Stub>>): GuardedRequest {
  return async ({ pathname, protocol }) => {
    const { status, to, body } = pathname === '/robots.txt' ? NO_ROBOTS : (answers[protocol.slice(0, -1)] as Stub)
    return {
      statusCode: status,
      headers: { 'content-type': 'text/csv', ...(to !== undefined && { location: to }) },
      body: Object.assign(Readable.from([Buffer.from(body)]), { dump: async () => null }),
    } as never
  }
}
type Stub = z.infer<typeof Stub>
const NO_ROBOTS: Stub = { status: 404, body: '' }

/** Judges every behaviour with the crawler as it is. */
export async function judgeCrawlBehaviours(
  report: (judged: JudgedBehaviour) => void,
): Promise<readonly JudgedBehaviour[]> {
  return await judgeBehaviours(BEHAVIOURS, report)
}

/** Whether the crawler did as expected everywhere, but for the exemptions. */
export const passes = (judged: readonly JudgedBehaviour[]) => judged.every(({ outcome }) => outcome !== 'not ok')

/** One line of a judged behaviour. */
export function lineOf({ outcome, group, behaviour, expected, found, reason }: JudgedBehaviour): string {
  const why = reason === null ? '' : `: ${reason}`
  return `${outcome.padEnd(6)}  ${group}: ${behaviour}; expected '${expected}', found '${found}'${why}`
}

/** The number of behaviours by outcome, in one line. */
export function totalsOf(judged: readonly JudgedBehaviour[]): string {
  const count = (outcome: JudgedBehaviour['outcome']) => judged.filter((one) => one.outcome === outcome).length
  return `${judged.length} behaviours: ${count('ok')} ok, ${count('not ok')} not ok, ${count('exempt')} exempt`
}
