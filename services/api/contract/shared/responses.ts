import { z } from 'zod'
import { shape } from './described.ts'

/** What answers of several operations share. */

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
