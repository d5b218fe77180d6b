import type * as contract from '@catalog/api/contract/contract.ts'
import type { ErrorCode } from '@catalog/api/http/errors.ts'
import { readDataFile } from '@catalog/core/data-file.ts'
import type { z } from 'zod'

/** The examples of the OpenAPI document. */
type Examples = Readonly<{
  item: z.infer<typeof contract.CanonicalItem>
  answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  errors: Readonly<Record<string, ErrorExample>>
}>
type ErrorExample = Omit<z.infer<typeof contract.ErrorBody>, 'error'> & { error: ErrorCode }

const EXAMPLES = readDataFile(import.meta.url, 'examples.yaml') as Examples

export const { item } = EXAMPLES

/** The example success of an operation in a media type. */
export const successExample = (operationId: string, type: string): unknown => EXAMPLES.answers[operationId]?.[type]

/** An example error of a status of an operation. */
export const errorExample = (operationId: string, status: number): ErrorExample | undefined =>
  EXAMPLES.errors[`${operationId} ${status}`] ?? EXAMPLES.errors[status]
