import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { V1 } from './context.ts'
import { answers, answersConditionally, headersOf } from './contract.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from './documents.ts'

/** The version of the contract, which is additive for as long as the path says /v1. */
const CONTRACT_VERSION = '1.0.0'

/** Makes the OpenAPI 3.1 document from the schemas of the routes that are registered after this. */
export function describeRoutes(app: FastifyInstance, baseUrl: string): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Construction Cost Catalog',
        version: CONTRACT_VERSION,
        description:
          'Canonical construction cost items, each aggregated from the observed prices of several vendors. Query parameters that are not named here are ignored. Every request counts towards the limits, which the X-RateLimit headers report.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      tags: [
        { name: 'Catalog', description: 'Items and categories' },
        { name: 'Search', description: 'Items by meaning' },
        { name: 'Feeds', description: 'What changed' },
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
      schema: {
        operationId: 'getOpenApi',
        summary: 'This document',
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

type Response = { description: string; headers?: object; content?: object }
type Operation = { operationId: string; responses: Record<string, Response> }
type OpenApi = { components: { schemas: Record<string, unknown> }; paths: Record<string, Record<string, Operation>> }

/** The document with what the generator leaves out: each component once, response headers, and 304. */
function complete(generated: OpenApi): OpenApi {
  const document = withoutTwins(generated)
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    if (answersConditionally(operation.operationId)) {
      operation.responses['304'] = { description: 'The entity tag in If-None-Match still holds' }
    }
    for (const [status, response] of Object.entries(operation.responses)) {
      response.headers = headersOf(operation.operationId, Number(status))
    }
  }
  return document
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
