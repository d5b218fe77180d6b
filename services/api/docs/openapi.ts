import { isDeepStrictEqual } from 'node:util'
import { answers, answersConditionally, headersOf, redirectOf } from '@catalog/api/contract/contract.ts'
import { QUERY_ALIASES, STRICT } from '@catalog/api/contract/shared/parameters.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorExample } from './error-examples.ts'
import { EXAMPLES } from './examples.ts'
import { type GuideFacts, guide } from './guide.ts'

/** The version of the contract; changes are additive while the path says /v1. */
const CONTRACT_VERSION = '1.0.0'

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
      servers: [{ url: `${origin}/v1`, description: 'Production; anonymous reads may be tried against it' }],
      externalDocs: { url: `${origin}/docs/errors`, description: 'Every error code' },
      tags: [
        { name: 'Catalog', description: 'Items and categories' },
        { name: 'Search', description: 'Items by meaning' },
        { name: 'Feeds', description: 'What changed' },
        { name: 'Keys', description: 'Developer keys, and what a key has used' },
        { name: 'Service', description: 'Limits and this document' },
      ],
      security: [{ bearer: [] }, {}],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key; reads need none, with lower limits' },
        },
      },
    },
    stripBasePath: true,
    transform: createJsonSchemaTransform({ zodToJsonConfig }),
    transformObject: (given) =>
      complete(createJsonSchemaTransformObject({ zodToJsonConfig })(given) as unknown as OpenApi) as never,
  })
}

export function openApiRoute(v1: V1): void {
  let document: RenderedDocument | undefined
  v1.get(
    '/openapi.json',
    {
      config: { bucket: 'service' },
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document',
        description: 'From which a typed client can be made; additive for as long as the path says /v1.',
        tags: ['Service'],
        response: answers('OpenAPI 3.1', { 'application/json': z.looseObject({}) }),
      },
    },
    async (request, reply) => {
      document ??= documentOf(JSON.stringify(v1.swagger()), { 'content-type': JSON_TYPE })
      return sendDocument(request, reply, document)
    },
  )
}

type JsonSchema = Record<string, unknown>

const zodToJsonConfig = {
  /**
   * Removes keywords that zod adds: JavaScript's integer bounds, the 300-character date pattern, and closed outputs.
   */
  override({ jsonSchema }: { jsonSchema: JsonSchema }) {
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  },
}

type Response = { description: string; headers?: object; content?: Record<string, { example?: unknown }> }
type Parameter = { name: string; in: string; description?: string; required?: boolean; schema: object }
type Operation = { operationId: string; parameters?: Parameter[]; responses: Record<string, Response> }
type OpenApi = {
  components: { schemas: Record<string, unknown>; headers?: Readonly<Record<string, object>> }
  paths: Record<string, Record<string, Operation>>
}

/** Part of a file is never valid JSON. */
const PART_EXAMPLE = 'The bytes that Range asked for'

/**
 * Adds the parts that the generator leaves out: response headers, 304, 307 and examples; removes duplicate components.
 */
function complete(generated: OpenApi): OpenApi {
  const document = withoutTwins(generated)
  const { headers, referTo } = headerComponents()
  document.components.headers = headers
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    operation.parameters = [...(operation.parameters ?? []), ...otherNames(operation), STRICT_PARAMETER]
    if (answersConditionally(operation.operationId)) {
      operation.responses['304'] = { description: 'The entity tag in If-None-Match still holds' }
    }
    const redirect = redirectOf(operation.operationId)
    if (redirect !== undefined) operation.responses['307'] = { description: redirect }
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = referTo(headersOf(operation.operationId, Number(status)))
      for (const [type, content] of Object.entries(response.content ?? {})) {
        const error = Number(status) < 400 ? undefined : errorExample(operation.operationId, Number(status))
        content.example = error ?? (status === '206' ? PART_EXAMPLE : EXAMPLES[operation.operationId]?.[type])
      }
    }
  }
  return document
}

/** The parameters of an operation by their other names. */
function otherNames({ parameters = [] }: Operation): Parameter[] {
  return Object.entries(QUERY_ALIASES).flatMap(([alias, name]) => {
    const known = parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)
    return known === undefined ? [] : [{ ...known, name: alias, description: `Another name of \`${name}\`` }]
  })
}

const STRICT_PARAMETER: Parameter = {
  name: STRICT,
  in: 'query',
  required: false,
  description: '`false` ignores unknown parameters, which are otherwise refused with `unknown_parameter`',
  schema: { type: 'boolean', enum: [true, false], default: true },
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
