import { readFileSync } from 'node:fs'
import type { OpenApi } from '@catalog/judge/harness/document.ts'
import { parse } from 'yaml'

type Path = readonly (string | number)[]
/** Drops what stands at the paths, sets a value at one, or adds an element to a list. */
type Mutation = Readonly<{ name: string; drop?: readonly Path[]; at?: Path; set?: unknown; add?: unknown }>

export const MUTATIONS: Readonly<Record<'breaking' | 'additive', readonly Mutation[]>> = parse(
  readFileSync(new URL('./mutations.yaml', import.meta.url), 'utf8'),
)

/** The document after the mutation. Throws where it has not what the mutation names. */
export function mutated(document: OpenApi, { drop = [], at = [], set, add }: Mutation): OpenApi {
  const changed = structuredClone(document)
  for (const path of drop) {
    const { parent, key } = placeOf(changed, path)
    if (parent[key] === undefined) throw new Error(`the document has no ${path.join(' ')}: expected one to drop`)
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete parent[key]
  }
  const { parent, key } = placeOf(changed, at)
  if (set !== undefined) parent[key] = set
  if (add !== undefined) (parent[key] as unknown[]).push(add)
  return changed
}

type Parent = Record<string | number, unknown>

function placeOf(document: object, path: Path): { parent: Parent; key: string | number } {
  let [parent, key]: [unknown, string | number] = [document, '']
  for (const [depth, step] of path.entries()) {
    if (depth > 0) parent = (parent as Parent)[key]
    if (parent === undefined) throw new Error(`the document has no ${path.slice(0, depth).join(' ')}`)
    key = Array.isArray(parent) ? indexIn(parent, step) : step
  }
  return { parent: parent as Parent, key }
}

function indexIn(list: readonly unknown[], step: string | number): number {
  if (typeof step === 'number') return step < 0 ? list.length + step : step
  return list.findIndex((one) => one === step || (one as { name?: string }).name === step)
}
