import { readFileSync } from 'node:fs'
import type * as contract from '@catalog/api/contract/contract.ts'
import type { ErrorCode } from '@catalog/api/http/errors.ts'
import { CORE_SCHEMA, load } from 'js-yaml'
import type { z } from 'zod'

/** The examples of the OpenAPI document that are data. */
type ExampleData = Readonly<{
  item: z.infer<typeof contract.CanonicalItem>
  detail: contract.ItemDetail
  exportEnd: contract.ExportEnd
  market: { cents: number; currency: string }
  category: z.infer<typeof contract.Category>
  decomposition: contract.Decomposition
  status: z.infer<typeof contract.StatusResponse>
  answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  errors: Readonly<Record<string, ErrorExample>>
}>
type ErrorExample = Omit<z.infer<typeof contract.ErrorBody>, 'error'> & { error: ErrorCode }

/** Instants stay texts. */
const text = readFileSync(new URL('examples.yaml', import.meta.url), 'utf8')
const data = load(text, { schema: CORE_SCHEMA }) as ExampleData

export const { item, detail, exportEnd, market, category, decomposition, status, answers } = data

export const ITEM_ID = item.id
export const NIGHT = '2026-11-20T02:00:00Z'

/** An example error of a status of an operation. */
export function errorExample(operationId: string, status: number): ErrorExample | undefined {
  return data.errors[`${operationId} ${status}`] ?? data.errors[status]
}
