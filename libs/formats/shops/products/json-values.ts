import { ExactNumber } from '@catalog/formats/bytes/exact-json.ts'

/** Values of parsed JSON with exact numbers, by paths of keys and array indexes. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** The value at a path such as "price.value"; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)
}

/** A text or number as text; '' for anything else. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return value instanceof ExactNumber ? value.digits : ''
}

/** The first text or number among these paths that is not blank; '' without one. */
export function textAt(value: unknown, ...paths: readonly string[]): string {
  for (const path of paths) {
    const text = plainText(valueAt(value, path))
    if (text !== '') return text
  }
  return ''
}

/** A text that may stand once for each language: the first of them, or that of the first thing with a name. */
export function localText(value: unknown, ...paths: readonly string[]): string {
  for (const path of paths) {
    const found = valueAt(value, path)
    const text = plainText(found) || localOf(found)
    if (text !== '') return text
  }
  return ''
}

function localOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => plainText(one) || localOf(one)).find((text) => text !== '') ?? ''
  if (!isObject(value)) return ''
  // { id: "1", value: "Hammer" } of PrestaShop, { es: "Martillo" } of Tiendanube.
  const own = textAt(value, 'value', 'name', 'label')
  if (own !== '') return own
  return (
    Object.values(value)
      .map(plainText)
      .find((text) => text !== '') ?? ''
  )
}

/** True and false, also written as 1, "yes" or "true"; undefined for anything else. */
export function flagAt(value: unknown, ...paths: readonly string[]): boolean | undefined {
  for (const path of paths) {
    const found = valueAt(value, path)
    if (typeof found === 'boolean') return found
    const text = plainText(found).toLowerCase()
    if (/^(1|yes|true|y)$/.test(text)) return true
    if (/^(0|no|false|n)$/.test(text)) return false
  }
  return undefined
}

/** The objects of a list: an array, the nodes of a GraphQL connection, or the values of an object of objects. */
export function objectsAt(value: unknown, ...paths: readonly string[]): readonly JsonObject[] {
  for (const path of paths) {
    const objects = objectsOf(valueAt(value, path))
    if (objects.length > 0) return objects
  }
  return []
}

function objectsOf(value: unknown): readonly JsonObject[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  for (const key of ['nodes', 'items', 'results'] as const) if (Array.isArray(value[key])) return objectsOf(value[key])
  const { edges } = value
  if (!Array.isArray(edges)) return []
  return edges.flatMap((edge) => {
    const node = valueAt(edge, 'node')
    return isObject(node) ? [node] : []
  })
}
