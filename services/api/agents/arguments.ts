import { QUERY_ALIASES } from '@catalog/api/contract/shared/parameters.ts'
import { shownValue } from '@catalog/api/http/error-replies.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { expectedName } from '@catalog/core/text.ts'
import type { z } from 'zod'

/**
 * The arguments of a tool as its schema reads them. Throws unknown_parameter with the nearest name, or invalid_parameter with
 * the argument, the expectation and the value found, as REST does.
 */
export function readArguments<Schema extends z.ZodObject>(schema: Schema, given: unknown): z.output<Schema> {
  const args = wellFormed(given ?? {})
  const { data, error } = schema.safeParse(args)
  if (error === undefined) return data as z.output<Schema>
  const known = Object.keys(schema.shape)
  const unknown = error.issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown?.code === 'unrecognized_keys') throw unknownArgument(unknown.keys[0] as string, known)
  const [issue] = error.issues
  const path = issue?.path.map(String) ?? []
  let value: unknown = args
  for (const key of path) value = Object(value)[key]
  const expected = (issue?.message ?? '').replace(LIBRARY_WORDS, 'expected $1')
  throw new ApiError('invalid_parameter', `${path.join('.') || 'arguments'}: ${expected}, found ${shownValue(value)}`)
}

/** Replaces lone surrogates, which have no bytes in an address of REST. */
function wellFormed(args: object): object {
  const entries = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ])
  return Object.fromEntries(entries)
}

/** The message of zod for a value of another type, where the schema has no words of its own. */
const LIBRARY_WORDS = /^Invalid input: expected (\w+).*$/s

function unknownArgument(name: string, known: readonly string[]): ApiError {
  const shown = JSON.stringify(name.slice(0, NAME_CHARS_MAX))
  const ours = OTHER_NAMES[name]
  const expected = ours !== undefined && known.includes(ours) ? `expected '${ours}'?` : expectedName(name, known)
  return new ApiError('unknown_parameter', `argument ${shown}: ${expected}`)
}
const NAME_CHARS_MAX = 100

/** Names that REST has for what an argument says. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(QUERY_ALIASES).map(([alias, name]) => [name, alias])),
  price_region: 'region',
}
