import type { ErrorCode } from '@catalog/api/http/errors.ts'
import { readDataFile } from '@catalog/core/data-file.ts'

/** What agents read at the endpoint: the texts of its tools too, by their names. */
export const TEXTS = readDataFile(import.meta.url, 'texts.yaml') as Readonly<{
  instructions: string
  tools: Readonly<Record<string, Readonly<{ title: string; description: string }>>>
  counting_rule: string
  next: Readonly<Partial<Record<ErrorCode, string>>>
  terms: string
  prompts: Readonly<Record<string, PromptText>>
}>

type PromptText = Readonly<{
  title: string
  description: string
  /** Those with `shown` are optional. */
  arguments: Readonly<Record<string, Readonly<{ description: string; shown?: string }>>>
  text: string
}>
