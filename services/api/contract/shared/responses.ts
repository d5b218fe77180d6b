import { z } from 'zod'
import { shape } from './described.ts'
import MEANINGS from './meanings.json' with { type: 'json' }

/** The responses of an operation: success and errors. */

export const ErrorBody = shape('ErrorBody', {
  error: z.string(),
  details: z.string().optional(),
  retry_after_seconds: z.int().min(1).optional(),
}).meta({ id: 'Error' })

/**
 * For the document: what an answer is without additions. An `if` alone asserts nothing, and generated clients do not read
 * it: they have one type for both answers.
 */
export const additionsTo = (contract: z.ZodObject) => {
  const name = contract.meta()?.id
  return { description: `Without \`include\`: ${name}`, if: { $ref: `#/components/schemas/${name}` } }
}

/** The responses of an operation: success, and the errors that it may give. */
export function answers(
  description: string,
  content: Readonly<Record<string, z.ZodType>>,
  errors: readonly number[] = [],
  { status = 200 }: { status?: 200 | 201 } = {},
) {
  const error = (meaning: string) => ({ description: meaning, content: { 'application/json': { schema: ErrorBody } } })
  return {
    [status]: {
      description,
      content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
    },
    ...Object.fromEntries(
      [...new Set([...errors, ...ERRORS_OF_ALL])].map((status) => [
        status,
        error(ERROR_DESCRIPTIONS[status] as string),
      ]),
    ),
  }
}

/** Errors that every operation may give. */
const ERRORS_OF_ALL = [400, 401, 406, 429, 503]
const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = MEANINGS.error_statuses
