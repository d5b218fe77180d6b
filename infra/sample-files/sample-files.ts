import { load } from 'js-yaml'
import { z } from 'zod'

/** The content of a file of this folder; tests hold what only all files together show. Throws an error that names each place that breaks the schema. */
export function readYaml<T>(text: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(load(text, { maxAliases: 0 }))
  if (parsed.success) return parsed.data
  throw new Error(`${text.slice(0, TEXT_SHOWN)}...: ${z.prettifyError(parsed.error)}`, { cause: parsed.error })
}
const TEXT_SHOWN = 40
