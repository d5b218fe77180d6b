import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'
import { MEANINGS } from './meanings.ts'
import { ErrorBody } from './responses.ts'

/** The operations of the API, as operations.yaml describes them. */

type Operation = Readonly<{
  summary: string
  description: string
  /** What a success is. */
  answer?: string
  /** Statuses of errors, beside those that every operation may give. */
  errors?: readonly number[]
  status?: 200 | 201
}>
type Tags = Readonly<Record<string, Readonly<{ description: string; operations: Readonly<Record<string, Operation>> }>>>

/** Operations by tag, in the order of the document. */
export const TAGS = Object.entries(readDataFile(import.meta.url, 'operations.yaml') as Tags)

type Shapes = Readonly<{
  params?: z.ZodType
  querystring?: z.ZodType
  body?: z.ZodType
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** The shape of a success, in JSON or by media type. */
  answer: z.ZodType | Readonly<Record<string, z.ZodType>>
}>

/** The options of a route for an operation of operations.yaml with these shapes. */
export function operation<Given extends Shapes>(operationId: string, { answer, ...shapes }: Given) {
  const found = TAGS.map(([, { operations }]) => operations[operationId]).find((one) => one !== undefined)
  if (found?.answer === undefined) throw new Error(`operations.yaml: expected ${operationId} with an answer`)
  const content = answer instanceof z.ZodType ? { 'application/json': answer } : answer
  return { schema: { ...shapes, operationId, response: responsesOf(found, content) } }
}

/** Errors that every operation may give. */
const ERRORS_OF_ALL = [400, 401, 406, 429, 503]
const ERRORS: Readonly<Record<number, string>> = MEANINGS.error_statuses

function responsesOf({ answer, errors = [], status = 200 }: Operation, content: Readonly<Record<string, z.ZodType>>) {
  const statuses = [...new Set([...errors, ...ERRORS_OF_ALL])]
  return {
    [status]: {
      description: answer,
      content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
    },
    ...Object.fromEntries(
      statuses.map((error) => [
        error,
        { description: ERRORS[error], content: { 'application/json': { schema: ErrorBody } } },
      ]),
    ),
  }
}
