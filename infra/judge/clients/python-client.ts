import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CLIENTS,
  contractDigest,
  contractText,
  type OpenApi,
  type Operation,
  PYTHON_TYPES,
  RENEW,
  type Schema,
} from '@catalog/judge/harness/document.ts'
import type { SystemUnderTest } from '@catalog/judge/harness/system-under-test.ts'
import { pythonGenerator, pythonGeneratorAvailable, runTool } from '@catalog/judge/harness/tools.ts'
import { failed, passed, skipped } from '@catalog/judge/harness/verdict.ts'

/** The types of the client in Python, and their judge. */

const TOOL_TIMEOUT_MS = 120_000
const OPTIONS = {
  '--input-file-type': 'openapi',
  '--output-model-type': 'typing.TypedDict',
  '--target-python-version': '3.11',
  // Numbered names would move when another schema is added.
  '--naming-strategy': 'parent-prefixed',
  '--enum-field-as-literal': 'all',
  '--formatters': 'builtin',
}
const FLAGS = [
  '--disable-timestamp',
  '--use-schema-description',
  '--use-field-description',
  '--use-double-quotes',
  '--reuse-model',
  '--collapse-reuse-models',
]

/** Generates the document's schemas, and the query parameters of its reads, as TypedDicts by datamodel-code-generator. */
export async function pythonTypes(document: OpenApi, { folder }: { folder: string }): Promise<string> {
  const text = contractText(document)
  const [input, output] = [join(folder, 'schemas.json'), join(folder, 'api.py')]
  writeFileSync(input, JSON.stringify(schemasOf(JSON.parse(text) as OpenApi)))
  const options = Object.entries({ ...OPTIONS, '--input': input, '--output': output }).flat()
  const args = ['-m', 'datamodel_code_generator', ...options, ...FLAGS]
  const { code, stderr } = await runTool(await pythonGenerator(), args, { cwd: folder, timeoutMs: TOOL_TIMEOUT_MS })
  if (code !== 0) throw new Error(`datamodel-code-generator ended with ${code}: ${stderr}`)
  // Replace the tool's header by ours.
  return header(text) + readFileSync(output, 'utf8').replace(/^(#.*\n)+/, '')
}

const header = (
  text: string,
) => `"""Made by \`${RENEW}\` from the OpenAPI document with this SHA-256 ${contractDigest(text)}."""
`

/** The document's schemas, and for each operation that reads one of its query parameters: \`ListItemsQuery\`. */
function schemasOf({ components, paths }: OpenApi): object {
  const reads = Object.values(paths).flatMap(({ get }) => (get === undefined ? [] : [get]))
  const schemas = { ...components.schemas, ...Object.fromEntries(reads.flatMap(querySchema)) }
  return { openapi: '3.1.0', info: { title: 'types', version: '1' }, paths: {}, components: { schemas } }
}

/** A client sends no parameter that it does not know, so `strict` is of no use to it. */
function querySchema({ operationId, summary, parameters = [] }: Operation): [string, Schema][] {
  const known = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'strict')
  if (known.length === 0) return []
  const properties = Object.fromEntries(
    known.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  )
  const required = known.filter((parameter) => parameter.required).map(({ name }) => name)
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`
  return [[name, { type: 'object', description: summary, properties, required }]]
}

/** The committed types match the served document, and mypy accepts the client and a program that uses it. */
export async function judgePythonClient({ document, folder }: SystemUnderTest) {
  const reason = await pythonGeneratorAvailable()
  if (reason !== null) return skipped(reason)
  if ((await pythonTypes(document, { folder })) !== readFileSync(PYTHON_TYPES, 'utf8')) {
    return failed(`the types of the client in Python are stale: ${RENEW}`, '')
  }
  const checked = ['src', join(import.meta.dirname, 'walk.py')]
  const answer = await runTool(await pythonGenerator(), ['-m', 'mypy', '--strict', ...checked], {
    cwd: join(CLIENTS, 'python'),
    timeoutMs: TOOL_TIMEOUT_MS,
    env: { MYPYPATH: 'src' },
  })
  return answer.code === 0 ? passed(answer.stdout.trim()) : failed('mypy refuses the client', answer.stdout)
}
