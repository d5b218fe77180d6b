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
  item: ToolAnswer
  found: ToolAnswer
  /** Text of `catalog://items/ID`; absent when the client did not read it. */
  resource?: string
}>
export type ToolAnswer = Readonly<{
  isError?: boolean
  content: readonly { type: string; text?: string }[]
  structuredContent?: unknown
}>

/** Answers of REST to compare with. */
export type RestAnswers = Readonly<{ item: ItemDetail; found: object }>

export const CLIENT_TIMEOUT_MS = 120_000
const TOOLS = ['search_catalog', 'get_item', 'list_categories', 'get_decomposition']

/** One judge for each client and each protocol era that it speaks. */
export function clientJudges(task: ClientTask): readonly Judge[] {
  const { url, itemId, words, key, token = key } = task
  const args = [url, itemId, words]
  const run = { timeoutMs: CLIENT_TIMEOUT_MS, env: { MCP_KEY: token, PYTHONDONTWRITEBYTECODE: '1' } }
  const cwd = import.meta.dirname
  const byPython = async (mode: string) =>
    runTool(await python(), [join(cwd, 'client.py'), ...args, mode], { ...run, cwd })
  const clients = [
    { name: 'Python, auto', revision: '2026-07-28', available: pythonAvailable, start: () => byPython('auto') },
    { name: 'Python, legacy', revision: '2025-11-25', available: pythonAvailable, start: () => byPython('legacy') },
    {
      name: 'Go',
      revision: '2026-07-28',
      available: mcpGoAvailable,
      start: async () => runTool(await mcpGo(), args, { ...run, cwd }),
    },
    { name: 'Java', revision: '2025-11-25', available: mcpJavaAvailable, start: () => mcpJava(args, run) },
  ]
  return [
    ...clients.map(({ name, revision, available, start }) => ({
      name: `${name} client`,
      async run() {
        const reason = await available()
        if (reason !== null) return skipped(reason)
        const { code, stdout, stderr } = await start()
        if (code !== 0) return failed('the client failed', stdout + stderr)
        return compareWithRest(JSON.parse(stdout) as ClientResult, { revision, answers: await fetchRestAnswers(task) })
      },
    })),
    { name: 'inspector, modern', run: () => inspector(task, 'modern') },
    { name: 'inspector, legacy', run: () => inspector(task, 'legacy') },
  ]
}

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
  const call = async (tool: string, argument: string) =>
    resultOf(await inspect('tools/call', '--tool-name', tool, '--tool-arg', argument)) as ToolAnswer
  const strictly = await inspect('tools/list', '--strict')
  const { tools } = resultOf(strictly) as { tools: { name: string }[] }
  const result = {
    revision: era,
    tools: tools.map(({ name }) => name),
    item: await call('get_item', `id=${itemId}`),
    found: await call('search_catalog', `q=${words}`),
  }
  const outcome = compareWithRest(result, { revision: era, answers: await fetchRestAnswers(task) })
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
  const item = (await answer(`/items/${itemId}?include=edition`)) as ItemDetail
  if (item.vendors.length === 0) throw new Error(`${itemId} has no price: expected an item that can be compared`)
  // MCP also says what the question was read as, and leaves out why each result was found.
  const search = `/search?q=${encodeURIComponent(words)}&include=cursor,explain`
  const { results, ...others } = (await answer(search)) as { results: readonly { why?: object }[] }
  return { item, found: { ...others, results: results.map(({ why: _, ...result }) => result) } }
}

/** Requires the client's data to equal REST's, and its text to hold every price, source, address and date. */
export function compareWithRest(
  result: ClientResult,
  { revision, answers }: { revision: string; answers: RestAnswers },
) {
  const facts = factsOf(answers.item)
  const { citations, ...found } = Object(result.found.structuredContent) as { citations?: readonly object[] }
  const faults = [
    result.revision === revision ? [] : [`speaks ${result.revision}, expected ${revision}`],
    isDeepStrictEqual(result.tools, TOOLS) ? [] : [`lists ${result.tools.join(', ')}`],
    isDeepStrictEqual(result.item.structuredContent, answers.item) ? [] : ['get_item: other data than REST'],
    isDeepStrictEqual(found, answers.found) ? [] : ['search_catalog: other data than REST'],
    citations !== undefined && citations.length > 0 ? [] : ['search_catalog: no citations'],
    [result.item, result.found].some(({ isError }) => isError) ? ['an answer is an error'] : [],
    ...[textOf(result.item), result.resource].map((text, i) =>
      text === undefined ? [] : missingIn(text, facts).map((fact) => `${['text', 'resource'][i]}: without ${fact}`),
    ),
  ].flat()
  const says = `${revision}, ${result.tools.length} tools, an item with ${facts.size} facts and ${count(answers.found)} hits`
  return faults.length === 0 ? passed(`${says} as REST has them`) : failed(`${faults.length} faults`, faults.join('\n'))
}

const textOf = ({ content }: ToolAnswer) => content.find(({ type }) => type === 'text')?.text ?? ''
const count = (found: object) => (found as { results?: readonly object[] }).results?.length ?? 0

/** Every price, source, address and date of an item, as text spells them. */
function factsOf({ item, vendors, price_history }: ItemDetail): ReadonlySet<string> {
  const { median_price: median } = item
  return new Set([
    ...(median == null ? [] : [moneyText(median), ...(median.recorded_at === null ? [] : [median.recorded_at])]),
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
function missingIn(text: string, facts: ReadonlySet<string>): readonly string[] {
  const plain = text.replace(/\\(?=[^A-Za-z0-9\s])/g, '')
  return [...facts].filter((fact) => !plain.includes(fact))
}
