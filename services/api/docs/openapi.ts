import { isDeepStrictEqual } from 'node:util'
import { answers, answersConditionally, headersOf, redirectOf } from '@catalog/api/contract/contract.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errorExample } from './error-examples.ts'
import { EXAMPLES } from './examples.ts'
import { type GuideFacts, guide } from './guide.ts'

/** The version of the contract, which is additive for as long as the path says /v1. */
const CONTRACT_VERSION = '1.0.0'

/** Makes the OpenAPI 3.1 document from the schemas of the routes that are registered after this. */
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
        // Of the data, which is what a caller gets; of the software where the operator has stated nothing.
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

/** GET /openapi.json */
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
  /** What zod adds beyond what is meant: bounds of JavaScript's integers, a pattern of 300 letters, closed answers. */
  override({ jsonSchema }: { jsonSchema: JsonSchema }) {
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  },
}

type Response = { description: string; headers?: object; content?: Record<string, { example?: unknown }> }
type Operation = { operationId: string; responses: Record<string, Response> }
type OpenApi = {
  components: { schemas: Record<string, unknown>; headers?: Readonly<Record<string, object>> }
  paths: Record<string, Record<string, Operation>>
}

/** A part of a file is no JSON, whatever the file is. */
const PART_EXAMPLE = 'The bytes that Range asked for'

/** The document with what the generator leaves out: each component once, response headers, and 304. */
function complete(generated: OpenApi): OpenApi {
  const document = withoutTwins(generated)
  const { headers, referTo } = headerComponents()
  document.components.headers = headers
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
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

/** Headers as components, because nearly all answers carry the same; those of one name that say other things are numbered. */
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

/** Every component comes a second time as XInput: its references move to X, and what nobody refers to is dropped. */
function withoutTwins(generated: OpenApi): OpenApi {
  const names = new Set(Object.keys(generated.components.schemas))
  const document = JSON.parse(
    JSON.stringify(generated).replace(/schemas\/(\w+)Input"/g, (reference, name) =>
      names.has(name) ? `schemas/${name}"` : reference,
    ),
  ) as OpenApi
  const { schemas } = document.components
  // Dropping one may leave another without a reference.
  for (let before = -1; before !== Object.keys(schemas).length; ) {
    before = Object.keys(schemas).length
    const text = JSON.stringify(document)
    for (const name of Object.keys(schemas)) {
      if (!text.includes(`schemas/${name}"`)) delete schemas[name]
    }
  }
  return document
}
