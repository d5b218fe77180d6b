import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ItemDetail } from '@catalog/api/contract/contract.ts'
import { moneyText } from '@catalog/core/money/money-text.ts'
import {
  mcpGo,
  mcpGoAvailable,
  mcpJava,
  mcpJavaAvailable,
  npmPrograms,
  python,
  pythonAvailable,
  runTool,
  type ToolResult,
} from '@catalog/judge/harness/tools.ts'
import { failed, type Judge, passed, skipped } from '@catalog/judge/harness/verdict.ts'

/**
 * Independent MCP clients, each with a key or a token. Compares their results from the MCP endpoint with the answers of
 * REST.
 */

/** What a client shall read. */
export type ClientTask = Readonly<{
  /** Address of the MCP endpoint. */
  url: string
  /** Address of REST with its /v1. */
  rest: string
  key: string
  /** Token of the clients; they use the key when absent. */
  token?: string
  /** Id of an item with prices. */
  itemId: string
  /** Words to search. */
  words: string
  folder: string
}>

/** Result of a client, exactly as client.py, client.go and client.java print it. */
export type ClientResult = Readonly<{
  /** Protocol revision that client and endpoint agreed on. */
  revision: string
  /** Names of the tools. */
  tools: readonly string[]
  /** Answers of get_item, from the first page to the last. */
  pages: readonly ToolAnswer[]
  found: ToolAnswer
  /** Text of `catalog://items/ID`; absent when the client did not read it. */
  resource?: string
}>
export type ToolAnswer = Readonly<{
  isError?: boolean
  content: readonly { type: string; text?: string }[]
  structuredContent?: unknown
}>

/** Answers of REST to compare with, and the path of the item. */
export type RestAnswers = Readonly<{ item: ItemDetail; path: string; found: object }>

export const CLIENT_TIMEOUT_MS = 120_000
const TOOLS = ['search_catalog', 'get_item', 'list_categories', 'get_decomposition', 'price_bill']

/** One judge for each client and each protocol era that it speaks. */
export function clientJudges(task: ClientTask): readonly Judge[] {
  const { url, itemId, words, key, token = key } = task
  const argsOf = (answers: RestAnswers) => [url, itemId, words, `${limitOf(answers)}`]
  const run = { timeoutMs: CLIENT_TIMEOUT_MS, env: { MCP_KEY: token, PYTHONDONTWRITEBYTECODE: '1' } }
  const cwd = import.meta.dirname
  const byPython = (mode: string) => async (args: readonly string[]) =>
    runTool(await python(), [join(cwd, 'client.py'), ...args, mode], { ...run, cwd })
  const clients = [
    { name: 'Python, auto', revision: '2026-07-28', available: pythonAvailable, start: byPython('auto') },
    { name: 'Python, legacy', revision: '2025-11-25', available: pythonAvailable, start: byPython('legacy') },
    {
      name: 'Go',
      revision: '2026-07-28',
      available: mcpGoAvailable,
      start: async (args: readonly string[]) => runTool(await mcpGo(), args, { ...run, cwd }),
    },
    {
      name: 'Java',
      revision: '2025-11-25',
      available: mcpJavaAvailable,
      start: (args: readonly string[]) => mcpJava(args, run),
    },
  ]
  return [
    ...clients.map(({ name, revision, available, start }) => ({
      name: `${name} client`,
      async run() {
        const reason = await available()
        if (reason !== null) return skipped(reason)
        const answers = await fetchRestAnswers(task)
        const { code, stdout, stderr } = await start(argsOf(answers))
        if (code !== 0) return failed('the client failed', stdout + stderr)
        return compareWithRest(JSON.parse(stdout) as ClientResult, { revision, answers })
      },
    })),
    { name: 'inspector, modern', run: () => inspector(task, 'modern') },
    { name: 'inspector, legacy', run: () => inspector(task, 'legacy') },
  ]
}

/** Vendors of a page, so that an item of several has at least two. */
export const limitOf = ({ item }: RestAnswers) => Math.ceil(item.vendors.length / 3)

/** The official inspector also checks whether every host can use the tools' schemas. */
async function inspector(task: ClientTask, era: 'modern' | 'legacy') {
  const { url, key, token = key, itemId, words, folder } = task
  const program = join(await npmPrograms(), 'mcp-inspector')
  const header = `Authorization: Bearer ${token}`
  const inspect = async (...command: readonly string[]): Promise<ToolResult> => {
    const server = ['--cli', url, '--transport', 'http', '--protocol-era', era, '--header', header]
    // The inspector keeps its settings in the home folder.
    const options = { cwd: folder, timeoutMs: CLIENT_TIMEOUT_MS, env: { HOME: folder } }
    return await runTool(program, [...server, '--format', 'json', '--quiet', '--method', ...command], options)
  }
  const resultOf = ({ code, stdout, stderr }: ToolResult) => {
    if (code !== 0) throw new Error(`the inspector ended with ${code}: ${stdout}${stderr}`)
    return (JSON.parse(stdout) as { result: object }).result
  }
  const call = async (tool: string, ...args: readonly string[]) =>
    resultOf(await inspect('tools/call', '--tool-name', tool, '--tool-arg', ...args)) as ToolAnswer
  const answers = await fetchRestAnswers(task)
  const pages: ToolAnswer[] = []
  for (let cursor: readonly string[] | null = []; cursor !== null; ) {
    const page = await call('get_item', `id=${itemId}`, `limit=${limitOf(answers)}`, ...cursor)
    pages.push(page)
    const { next_cursor: next } = pageOf(page)
    cursor = next === undefined ? null : [`cursor=${next}`]
  }
  const strictly = await inspect('tools/list', '--strict')
  const { tools } = resultOf(strictly) as { tools: { name: string }[] }
  const result = {
    revision: era,
    tools: tools.map(({ name }) => name),
    pages,
    found: await call('search_catalog', `q=${words}`),
  }
  const outcome = compareWithRest(result, { revision: era, answers })
  // A warning counts as a failure, because some hosts would stumble over it.
  if (outcome.verdict === 'passed' && /^Warning: /m.test(strictly.stderr)) {
    return failed('schemas that not every host can take', strictly.stderr)
  }
  return outcome
}

export async function fetchRestAnswers({ rest, key, itemId, words }: ClientTask): Promise<RestAnswers> {
  const answer = async (path: string) => {
    const response = await fetch(rest + path, { headers: { authorization: `Bearer ${key}` } })
    if (response.status !== 200) throw new Error(`${path}: expected 200, found ${response.status}`)
    return (await response.json()) as unknown
  }
  const path = `/items/${itemId}?include=edition`
  const item = (await answer(path)) as ItemDetail
  if (item.vendors.length === 0) throw new Error(`${itemId} has no price: expected an item that can be compared`)
  // MCP also says what the question was read as, and leaves out why each result was found.
  const search = `/search?q=${encodeURIComponent(words)}&include=cursor,explain`
  const { results, ...others } = (await answer(search)) as { results: readonly { why?: object }[] }
  return { item, path, found: { ...others, results: results.map(({ why: _, ...result }) => result) } }
}

/** Requires the client's pages and results to equal REST's, texts with the headline, and a resource with every fact. */
export function compareWithRest(
  result: ClientResult,
  { revision, answers }: { revision: string; answers: RestAnswers },
) {
  const headline = headlineOf(answers.item)
  const facts = [...headline, ...factsOf(answers.item)]
  const { citations, ...found } = Object(result.found.structuredContent) as { citations?: readonly object[] }
  const all = [
    result.revision === revision ? [] : [`speaks ${result.revision}, expected ${revision}`],
    isDeepStrictEqual(result.tools, TOOLS) ? [] : [`lists ${result.tools.join(', ')}`],
    isDeepStrictEqual(wholeOf(result.pages), answers.item) ? [] : ['get_item: other data than REST'],
    result.pages.every((page) => (pageOf(page).vendors?.length ?? 0) <= limitOf(answers))
      ? []
      : [`get_item: a page with more than ${limitOf(answers)} vendors`],
    isDeepStrictEqual(found, answers.found) ? [] : ['search_catalog: other data than REST'],
    citations !== undefined && citations.length > 0 ? [] : ['search_catalog: no citations'],
    [...result.pages, result.found].some(({ isError }) => isError) ? ['an answer is an error'] : [],
    ...result.pages.map((page) =>
      missingIn(textOf(page), [...headline, answers.path]).map((fact) => `text: without ${fact}`),
    ),
    result.resource === undefined ? [] : missingIn(result.resource, facts).map((fact) => `resource: without ${fact}`),
  ].flat()
  // Each page may have the same.
  const faults = [...new Set(all)]
  const says = `${revision}, ${result.tools.length} tools, an item with ${facts.length} facts in ${result.pages.length} pages and ${count(answers.found)} hits`
  return faults.length === 0 ? passed(`${says} as REST has them`) : failed(`${faults.length} faults`, faults.join('\n'))
}

const pageOf = ({ structuredContent }: ToolAnswer) =>
  Object(structuredContent) as Partial<ItemDetail> & { next_cursor?: string }

/** The pages as one answer, where all show the same item: vendors ascend, and newer prices come first. */
function wholeOf(answers: readonly ToolAnswer[]): object {
  const [first = {}, ...others] = answers.map(pageOf)
  const pages = [first, ...others]
  const { next_cursor: _, ...whole } = first
  return {
    ...whole,
    item: others.every(({ item }) => isDeepStrictEqual(item, first.item)) && first.item,
    vendors: pages.flatMap(({ vendors = [] }) => vendors),
    price_history: pages.toReversed().flatMap(({ price_history = [] }) => price_history),
  }
}

const textOf = ({ content }: ToolAnswer) => content.find(({ type }) => type === 'text')?.text ?? ''
const count = (found: object) => (found as { results?: readonly object[] }).results?.length ?? 0

/** What every text of an item says. */
function headlineOf({ item }: ItemDetail): readonly string[] {
  const { name, unit, median_price: median, vendor_count } = item
  const price = median == null ? [] : [moneyText(median), median.recorded_at, 'net of tax']
  return [name, unit, ...price, `Vendors: ${vendor_count},`].filter((fact) => fact != null)
}

/** Every price, source, address and date of an item, as text spells them. */
function factsOf({ vendors, price_history }: ItemDetail): ReadonlySet<string> {
  return new Set([
    ...vendors.flatMap(({ source, price, observed_at }) => [
      source.name,
      moneyText(price),
      observed_at,
      ...(source.url === null ? [] : [source.url]),
    ]),
    ...price_history.flatMap(({ recorded_at, price_cents, currency }) => [
      recorded_at,
      moneyText({ cents: price_cents, currency }),
    ]),
  ])
}

/** Markdown escapes markup characters with a backslash. */
function missingIn(text: string, facts: readonly string[]): readonly string[] {
  const plain = text.replace(/\\(?=[^A-Za-z0-9\s])/g, '')
  return facts.filter((fact) => !plain.includes(fact))
}
