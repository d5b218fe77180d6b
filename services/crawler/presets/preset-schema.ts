import { SourceLicence } from '@catalog/crawler/sources/sources-schema.ts'
import { z } from 'zod'

/** The schema of `presets/ID/preset.yaml`. Messages say the expectation. */

const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max, { error: `expected at most ${max} characters` })

const ID = 'expected at most 60 small letters, digits and -'
export const PresetId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/, { error: ID })
/** A file beside the preset. */
export const BesideFile = z.string().regex(/^[\w.-]{1,100}$/)
/** Where a person gets the file of a publisher. */
export const ObtainedFile = z.strictObject({ obtain: text(1_000) })

/** Who publishes what, and on which terms. */
export const PRESET_HEAD = {
  preset: z.literal(1, { error: 'expected 1, the version of this format' }),
  id: PresetId,
  title: text(200),
  publisher: text(200),
  website: z.url({ protocol: /^https?$/ }).max(2_000),
  /** What the figures are, and what a reader should know of them. */
  about: text(2_000),
  licence: SourceLicence,
}

const PARAMETER = 'expected a name of small letters and _'

/** Values of one parameter. */
const VALUES_MAX = 200
const PARAMETERS_MAX = 10

const Value = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,79}$/, { error: 'expected letters, digits, blanks, . _ and -' })
const Parameter = z.strictObject({
  about: text(300),
  /** What a person may say: a list, or a table from what a person says to what stands in the source. */
  values: z.union([z.array(Value).min(1).max(VALUES_MAX), z.record(Value, text(200))]),
  default: Value.optional(),
})

/**
 * A public source that others have described: who publishes it, on which terms, where it stands, how it is read, and a sample with
 * its expected records.
 */
export const Preset = z.strictObject({
  ...PRESET_HEAD,
  parameters: z
    .record(z.string().regex(/^[a-z][a-z_]{0,39}$/, { error: PARAMETER }), Parameter)
    .refine((parameters) => Object.keys(parameters).length <= PARAMETERS_MAX)
    .default({}),
  /** For a source without a certain address: where a person gets its file. Such a source has no `entry_points`. */
  file: ObtainedFile.optional(),
  /** A source of the sources file. `{name}` of a parameter stands for its value in every text. */
  source: z.record(z.string(), z.unknown()),
  test: z.strictObject({
    /** A file beside this one, in the layout of the publisher, written by us with invented prices. */
    sample: BesideFile,
    /** A file beside this one: a line of JSON for each record, with the members that count. */
    expected: BesideFile,
    parameters: z.record(z.string(), Value).default({}),
  }),
})
export type Preset = Readonly<z.infer<typeof Preset>>
