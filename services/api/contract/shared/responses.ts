import { z } from 'zod'

/** The responses of an operation: success and errors. */

export const ErrorBody = z
  .strictObject({
    error: z.string().meta({
      description: 'A stable code of a closed list; the header Link leads to its explanation',
      examples: ['invalid_parameter'],
    }),
    details: z.string().optional().meta({ description: 'For people: the value found, and the expectation' }),
    retry_after_seconds: z.int().min(1).optional().meta({ description: 'Equal to the header Retry-After' }),
  })
  .meta({ id: 'Error' })

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
const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'A parameter is missing, out of bounds or unknown',
  401: 'The key is not valid',
  404: 'Not found',
  409: 'The number is beyond the newest change, or belongs to another generation',
  410: 'These changes are no longer available, or belong to another generation',
  406: 'The Accept headers exclude every available representation',
  412: 'The file does not match the precondition of the request',
  413: 'The body is too large',
  415: 'The body is not JSON',
  416: 'The file ends before the range',
  429: 'A limit is exceeded',
  503: 'Temporarily unavailable, or too busy',
}
