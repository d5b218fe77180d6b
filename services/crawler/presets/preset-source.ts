import type { SourceDraft } from '@catalog/crawler/sources/sources-file.ts'
import { stringify } from 'yaml'
import type { Preset } from './preset-schema.ts'

/** What a person says of the parameters of a preset, by name. */
export type Said = Readonly<Record<string, string>>

/** Parameters without a default that nobody has given yet. */
export function openParameters({ parameters }: Preset, said: Said): readonly string[] {
  return Object.keys(parameters).filter((name) => said[name] === undefined && parameters[name]?.default === undefined)
}

/** What a person may say of a parameter. */
export function valuesOf({ parameters }: Pick<Preset, 'parameters'>, name: string): readonly string[] {
  const { values = [] } = parameters[name] ?? {}
  return Array.isArray(values) ? values : Object.keys(values)
}

/**
 * The source of a preset, as the sources file has it. `file`: the path of what the person fetched, for a preset without an address or
 * instead of it. Throws an error that names the parameter, what was said and what is expected.
 */
export function sourceOfPreset(
  preset: Preset,
  { said, file }: Readonly<{ said: Said; file: string | undefined }>,
): SourceDraft {
  const values = valuesFor(preset, said)
  if (file === undefined && preset.file !== undefined)
    throw new Error(`preset ${preset.id}: expected --file PATH, since it has no certain address. ${preset.file.obtain}`)
  const filled = fill({ ...preset.source, licence: preset.licence }, values) as SourceDraft
  return file === undefined ? filled : { ...filled, entry_points: [{ file }] }
}

function valuesFor(preset: Preset, said: Said): ReadonlyMap<string, string> {
  const { id, parameters } = preset
  const names = Object.keys(parameters)
  for (const name of Object.keys(said)) {
    if (names.includes(name)) continue
    throw new Error(`preset ${id}, parameter '${name}': expected ${names.length === 0 ? 'none' : names.join(', ')}`)
  }
  const values = new Map<string, string>()
  for (const [name, { about, values: known, default: byDefault }] of Object.entries(parameters)) {
    const given = said[name] ?? byDefault
    const expected = `expected ${name}=${valuesOf(preset, name).join('|')}`
    if (given === undefined) throw new Error(`preset ${id}, parameter '${name}' (${about}): ${expected}`)
    const value = Array.isArray(known) ? known.find((one) => one === given) : known[given]
    if (value === undefined) throw new Error(`preset ${id}, parameter '${name}': '${given}': ${expected}`)
    values.set(name, value)
  }
  return values
}

/** The value with `{name}` of each parameter replaced in every text, keys included; other braces, as of an edition, stay. */
function fill(value: unknown, values: ReadonlyMap<string, string>): unknown {
  const filled = (text: string) => text.replace(/\{([a-z_]+)\}/g, (all, name) => values.get(name) ?? all)
  if (typeof value === 'string') return filled(value)
  if (Array.isArray(value)) return value.map((one) => fill(one, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [filled(key), fill(one, values)]))
}

/** The source of a preset in YAML, with the names of its parameters. */
export const sourceText = ({ source }: Preset): string => stringify(source, { lineWidth: 0 })
