import type { OpenApi, Operation, Schema } from '@catalog/judge/harness/document.ts'

/** Mutations of the document that test the check for breaking changes. */
export type Seed = Readonly<{ name: string; change: (document: OpenApi) => void }>

/** Breaking changes, each of which the check must refuse. */
export const BREAKING_MUTATIONS: readonly Seed[] = [
  {
    name: 'a required field is dropped',
    change({ components: { schemas } }) {
      const item = schemas.CanonicalItem
      delete item?.properties?.name
      item?.required?.splice(item.required.indexOf('name'), 1)
    },
  },
  { name: 'an optional field is dropped', change: (document) => delete fieldsOf(document, 'CanonicalItem').unit },
  {
    name: 'a required field becomes optional',
    change({ components: { schemas } }) {
      schemas.PricingResponse?.required?.pop()
    },
  },
  {
    name: 'a field has another type',
    change(document) {
      Object.assign(fieldsOf(document, 'CanonicalItem').vendor_count as object, { type: 'string' })
    },
  },
  { name: 'a path is dropped', change: ({ paths }) => delete paths['/pricing'] },
  {
    name: 'an operation has another name',
    change(document) {
      operationOf(document, '/items').operationId = 'items'
    },
  },
  {
    name: 'a parameter is dropped',
    change(document) {
      const { parameters } = operationOf(document, '/items')
      parameters?.splice(
        parameters.findIndex(({ name }) => name === 'q'),
        1,
      )
    },
  },
  {
    name: 'a parameter takes fewer values',
    change(document) {
      parameterOf(document, '/items', 'region').enum?.pop()
    },
  },
  {
    name: 'a parameter takes less',
    change(document) {
      parameterOf(document, '/items', 'limit').maximum = 50
    },
  },
  {
    name: 'a parameter becomes required',
    change(document) {
      const { parameters } = operationOf(document, '/items')
      parameters?.push({ name: 'key', schema: {}, in: 'query', required: true })
    },
  },
  {
    name: 'an answer has one more value',
    change(document) {
      fieldsOf(document, 'SearchResponse').mode?.enum?.push('guess')
    },
  },
  { name: 'a status is dropped', change: (document) => delete operationOf(document, '/items').responses['400'] },
  {
    name: 'a header is dropped',
    change(document) {
      delete operationOf(document, '/items').responses['200']?.headers?.Link
    },
  },
  {
    name: 'a read needs a key',
    change(document) {
      document.security = [{ bearer: [] }]
    },
  },
]

/** Additions, each of which the check must accept. */
export const ADDITIVE_MUTATIONS: readonly Seed[] = [
  {
    name: 'a path is added',
    change({ paths }) {
      const { get } = paths['/pricing'] as { get: Operation }
      paths['/prices'] = { get: { ...get, operationId: 'getPrices' } }
    },
  },
  {
    name: 'an optional parameter is added',
    change(document) {
      const { parameters } = operationOf(document, '/items')
      parameters?.push({ name: 'brand', schema: {}, in: 'query' })
    },
  },
  {
    name: 'a field is added',
    change(document) {
      Object.assign(fieldsOf(document, 'CanonicalItem'), { brand: { type: 'string' } })
    },
  },
]

function operationOf(document: OpenApi, path: string): Operation {
  const operation = document.paths[path]?.get
  if (operation === undefined) throw new Error(`the document has no GET ${path}: expected one to change in it`)
  return operation
}

function parameterOf(document: OpenApi, path: string, wanted: string): Schema {
  const parameter = operationOf(document, path).parameters?.find(({ name }) => name === wanted)
  if (parameter === undefined) throw new Error(`GET ${path} has no parameter ${wanted}: expected one to change in it`)
  return parameter.schema
}

function fieldsOf(document: OpenApi, schema: string): Record<string, Schema> {
  const fields = document.components.schemas[schema]?.properties
  if (fields === undefined) throw new Error(`the document has no fields of ${schema}: expected some to change`)
  return fields
}
