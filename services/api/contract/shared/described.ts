import { readDataFile } from '@catalog/core/data-file.ts'
import { z } from 'zod'

/** Shapes whose fields fields.yaml describes. */

type Fields = Readonly<Record<string, z.ZodType>>

type Texts = string | Readonly<{ description?: string; examples: unknown[] }>

/** By the name of a shape and the name of its field. */
const TEXTS = readDataFile(import.meta.url, 'fields.yaml') as Readonly<Record<string, Readonly<Record<string, Texts>>>>

/** The fields of a shape with their texts. Throws for a text without its field. */
export function described<Given extends Fields>(name: string, fields: Given): Given {
  const texts = Object.entries(TEXTS[name] ?? {}).map(([field, text]) => {
    const schema = fields[field]
    if (schema === undefined) throw new Error(`fields.yaml: ${name} has no field ${field}`)
    return [field, schema.meta(typeof text === 'string' ? { description: text } : text)]
  })
  return { ...fields, ...Object.fromEntries(texts) }
}

/** An object with these fields alone. */
export const shape = <Given extends Fields>(name: string, fields: Given) => z.strictObject(described(name, fields))
/** An object that drops other fields. */
export const openShape = <Given extends Fields>(name: string, fields: Given) => z.object(described(name, fields))
