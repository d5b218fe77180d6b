import { isDeepStrictEqual } from 'node:util'
import { answersConditionally, headersOf, operation, redirectOf, TAGS } from '@catalog/api/contract/contract.ts'
import { QUERY_ALIASES, STRICT } from '@catalog/api/contract/shared/parameters.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorExample, successExample } from './examples.ts'
import { type GuideFacts, guide } from './guide.ts'
import specified from './specified-shapes.json' with { type: 'json' }

/** The version of the contract; while the path says /v1, changes only add. */
const CONTRACT_VERSION = '1.0.0'

/** Summary, description and tag of an operation; none for a route that is no operation. */
function textOf(operationId = ''): { summary?: string; description?: string; tags?: string[] } {
  const [tag, { operations } = {}] = TAGS.find(([, { operations }]) => Object.hasOwn(operations, operationId)) ?? []
  const { summary, description } = operations?.[operationId] ?? {}
  return tag === undefined || summary === undefined || description === undefined
    ? {}
    : { summary, description, tags: [tag] }
}

/** Makes the OpenAPI 3.1 document from the schemas of the routes that are registered after this call. */
export function describeRoutes(app: FastifyInstance, facts: GuideFacts): void {
  const { origin, dataLicence } = facts
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Construction Cost Catalog',
        version: CONTRACT_VERSION,
        description: `Canonical construction cost items, each aggregated from the observed prices of several vendors.\n\n${guide(facts)}`,
        contact: { name: 'The operator of this catalog', url: `${origin}/` },
        // The licence of the data, which callers receive; that of the software where the operator states none.
        license:
          dataLicence === null
            ? { name: 'Apache-2.0', identifier: 'Apache-2.0' }
            : { name: dataLicence.name, ...(dataLicence.url === null ? {} : { url: dataLicence.url }) },
      },
      servers: [{ url: `${origin}/v1`, description: 'This catalog: reads work without a key' }],
      externalDocs: { url: `${origin}/docs/errors`, description: 'Every error code' },
      tags: TAGS.map(([name, { description }]) => ({ name, description })),
      security: [{ bearer: [] }, {}],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key, for higher limits; reads work without one',
          },
        },
      },
    },
    stripBasePath: true,
    transform: ({ schema, ...route }) =>
      toJsonSchema({ ...route, schema: { ...schema, ...textOf((schema as { operationId?: string }).operationId) } }),
    transformObject: (given) =>
      complete(createJsonSchemaTransformObject({ zodToJsonConfig })(given) as unknown as OpenApi) as never,
  })
}

export function openApiRoute(v1: V1): void {
  let document: RenderedDocument | undefined
  v1.get(
    '/openapi.json',
    { config: { bucket: 'service' }, ...operation('getOpenApi', { answer: z.looseObject({}) }) },
    async (request, reply) => {
      document ??= documentOf(JSON.stringify(v1.swagger()), { 'content-type': JSON_TYPE })
      return sendDocument(request, reply, document)
    },
  )
}

type JsonSchema = Record<string, unknown>

const zodToJsonConfig = {
  /**
   * Replaces JavaScript's integer bounds by the format of 64 bits, without which generated clients take 32. Removes keywords
   * that zod adds: the 300-character date pattern, and closed outputs. Adds the examples that it leaves out.
   */
  override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }) {
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
      delete jsonSchema.maximum
      jsonSchema.format = 'int64'
    }
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    // zod drops the examples of a parameter that it transforms. Ours are what a caller sends.
    const examples = z.globalRegistry.get(zodSchema)?.examples
    if (examples !== undefined) jsonSchema.examples = examples
  },
}

const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig })

type Response = { description: string; headers?: object; content?: Record<string, { example?: unknown }> }
type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
type Operation = {
  operationId: string
  summary?: string
  description?: string
  parameters?: Parameter[]
  responses: Record<string, Response>
}
type OpenApi = {
  components: { schemas: Record<string, JsonSchema>; headers?: Readonly<Record<string, object>> }
  paths: Record<string, Record<string, Operation>>
}

/** Part of a file is never valid JSON. */
const PART_EXAMPLE = 'The bytes that Range asked for'

/**
 * Adds the parts that the generator leaves out: response headers, 304, 307 and examples; removes duplicate components.
 */
function complete(generated: OpenApi): OpenApi {
  const document = withoutTwins(generated)
  for (const name of SPECIFIED) close(document.components.schemas[name])
  const { headers, referTo } = headerComponents()
  document.components.headers = headers
  addPriceBooks(document)
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  renameForGo(document.components, operations)
  for (const operation of operations) {
    operation.parameters = [...(operation.parameters ?? []), ...otherNames(operation), STRICT_PARAMETER].map(leftOut)
    if (answersConditionally(operation.operationId)) {
      operation.responses['304'] = { description: 'The entity tag in If-None-Match still holds' }
    }
    const redirect = redirectOf(operation.operationId)
    if (redirect !== undefined) operation.responses['307'] = { description: redirect }
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = referTo(headersOf(operation.operationId, Number(status)))
      for (const [type, content] of Object.entries(response.content ?? {})) {
        const error = Number(status) < 400 ? undefined : errorExample(operation.operationId, Number(status))
        content.example = error ?? (status === '206' ? PART_EXAMPLE : successExample(operation.operationId, type))
      }
    }
  }
  return document
}

/** The shapes of the specification: answers to its parameters alone have exactly their keys. Other shapes may grow. */
export const SPECIFIED: readonly string[] = specified

/** Says of each object within a schema that it has no further keys. */
function close(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  if ('properties' in schema) Object.assign(schema, { additionalProperties: false })
  for (const part of Object.values(schema)) close(part)
}

/** /docs shows the example of an optional parameter, and leaves the parameter out of the requests that it composes. */
function leftOut({ example, examples, ...parameter }: Parameter): Parameter {
  if (parameter.required) return { ...parameter, ...(examples ? { examples } : { example }) }
  const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
  const shown = values.filter((value) => value !== undefined)
  if (shown.length === 0) return parameter
  return {
    ...parameter,
    examples: Object.fromEntries(shown.map((value) => [String(value), { value, 'x-disabled': true }])),
  }
}

/**
 * Operations that also give a price book by the suffix `.bc3` of their address, with the parameters that choose it. The same
 * route answers both addresses.
 */
const PRICE_BOOKS = {
  getItemDecomposition: ['id', 'region', 'source'],
  getCategory: ['id'],
} as const
const BC3 = 'application/x-fiebdc3'

function addPriceBooks({ paths }: OpenApi): void {
  for (const [path, { get }] of Object.entries(paths)) {
    const names: readonly string[] | undefined = get && PRICE_BOOKS[get.operationId as keyof typeof PRICE_BOOKS]
    const file = get?.responses['200']?.content?.[BC3]
    if (get === undefined || names === undefined || file === undefined) continue
    const operationId = `${get.operationId}Bc3`
    paths[`${path}.bc3`] = {
      get: {
        ...get,
        operationId,
        ...textOf(operationId),
        parameters: get.parameters?.filter(({ name }) => names.includes(name)) ?? [],
        responses: {
          ...structuredClone(get.responses),
          200: { description: 'The price book', content: { [BC3]: { ...file } } },
        },
      },
    }
  }
}

/** oapi-codegen calls the answer of `search` SearchResponse: in Go, a schema of such a name has another one. */
function renameForGo({ schemas }: OpenApi['components'], operations: readonly Operation[]): void {
  const taken = new Set(operations.map(({ operationId }) => `${operationId}Response`.toLowerCase()))
  for (const [name, schema] of Object.entries(schemas)) {
    if (taken.has(name.toLowerCase())) schema['x-go-name'] = name.replace(/Response$/, 'Body')
  }
}

/** The parameters of an operation by their other names. */
function otherNames({ parameters = [] }: Operation): Parameter[] {
  return Object.entries(QUERY_ALIASES).flatMap(([alias, name]) => {
    const known = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)
    return known === undefined
      ? []
      : [{ ...known, name: alias, description: `Shorter to type: another name of \`${name}\`` }]
  })
}

const STRICT_PARAMETER: Parameter = {
  name: STRICT,
  in: 'query',
  required: false,
  description:
    'Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with ' +
    '`unknown_parameter`, so that a misspelled filter is noticed. Feeds and documents ignore them always',
  schema: { type: 'boolean', enum: [true, false], default: true },
  example: false,
}

/** Headers as components, because most answers share them. A name with several meanings gets numbers. */
function headerComponents() {
  const headers: Record<string, object> = {}
  const componentOf = (name: string, header: object) => {
    for (let n = 1; ; n++) {
      const component = n === 1 ? name : `${name}-${n}`
      headers[component] ??= header
      if (isDeepStrictEqual(headers[component], header)) return component
    }
  }
  const referTo = (given: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, header]) => [
        name,
        { $ref: `#/components/headers/${componentOf(name, header)}` },
      ]),
    )
  return { headers, referTo }
}

/** The generator emits each component twice. Point references to XInput at X, and drop unreferenced components. */
function withoutTwins(generated: OpenApi): OpenApi {
  const names = new Set(Object.keys(generated.components.schemas))
  const document = JSON.parse(
    JSON.stringify(generated).replace(/schemas\/(\w+)Input"/g, (reference, name) =>
      names.has(name) ? `schemas/${name}"` : reference,
    ),
  ) as OpenApi
  const { schemas } = document.components
  // Each removal may leave another component unreferenced.
  for (let before = -1; before !== Object.keys(schemas).length; ) {
    before = Object.keys(schemas).length
    const text = JSON.stringify(document)
    for (const name of Object.keys(schemas)) {
      if (!text.includes(`schemas/${name}"`)) delete schemas[name]
    }
  }
  return document
}
