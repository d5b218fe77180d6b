import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { ONE } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import { RecipeCosts } from '@catalog/core/recipes/recipe-cost.ts'
import { type PreviewDeps, previewSource } from '@catalog/crawler/crawls/preview-source.ts'
import type { RecipeContent, RecipeOutcome } from '@catalog/crawler/recipes/recipes.ts'
import { addSource, parseSources, type SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import type { Preset } from './preset-schema.ts'
import { type Said, sourceOfPreset } from './preset-source.ts'

/** The result of a preset's sample: `wrong` has a sentence for each record that is not as expected. */
export type PresetTest = Readonly<{ id: string; records: number; parked: number; wrong: readonly string[] }>

/** Records of a sample. */
const RECORDS_MAX = 1_000
const SHOWN_CHARS = 300

/** The source that a preset gives, as a sources file would read it. Throws BadSourcesFile. */
export function specOfPreset(
  preset: Preset,
  { said, file }: Readonly<{ said: Said; file: string | undefined }>,
): SourceSpec {
  const text = addSource('', sourceOfPreset(preset, { said, file }))
  const place = `preset ${preset.id}`
  return parseSources(text, { place, readMapping: () => '{}' }).sources[0] as SourceSpec
}

/**
 * Reads the sample of a preset as a crawl would, and compares each record with its line of the expectation: every member that the
 * line has must be equal. A line `{"parked": REASON}` expects a record that is parked, and `{"recipe": REF}` a recipe, whose
 * `computed_price` follows from its lines; null where a line has no price.
 */
export async function testPreset(preset: Preset, folder: string, deps: PreviewDeps): Promise<PresetTest> {
  const spec = specOfPreset(preset, { said: preset.test.parameters, file: join(folder, preset.test.sample) })
  const { preview, problems } = await previewSource(spec, deps, { count: RECORDS_MAX })
  const expected = await expectedLines(join(folder, preset.test.expected))
  const found = preview?.observations ?? []
  const parked = preview?.parked ?? []
  const expectedAs = (key: string) => expected.filter((line) => key in line)
  return {
    id: preset.id,
    records: found.length,
    parked: parked.length,
    wrong: [
      ...problems.map(({ code, detail }) => `${code}: ${detail}`),
      ...differences(
        expected.filter((line) => !('parked' in line || 'recipe' in line)),
        found,
        'record',
      ),
      ...differences(
        expectedAs('parked'),
        parked.map(({ reason, position, detail }) => ({ parked: reason, position, detail })),
        'parked record',
      ),
      ...differences(expectedAs('recipe'), pricedRecipes(preview?.recipes ?? []), 'recipe'),
    ],
  }
}

/** Recipes, each with the price that its rule computes; a refused one with its reason. */
function pricedRecipes(found: readonly RecipeOutcome[]): readonly object[] {
  const recipes = found.flatMap((outcome) => ('content' in outcome ? [outcome.content] : []))
  const costs = new RecipeCosts(new Map(recipes.map((recipe) => [skuOf(recipe), recipe])), new Map())
  return found.map((outcome) =>
    'reason' in outcome
      ? { recipe: outcome.reason, detail: outcome.detail }
      : {
          recipe: outcome.content.vendor_ref,
          ...outcome.content,
          computed_price: computedPrice(outcome.content, costs),
        },
  )
}

const skuOf = ({ source, vendor_ref }: RecipeContent) => vendorSkuIdOf(source.id, vendor_ref)

/** The price of a recipe by its lines and rule, with as many decimals as the declared one; null where a line has no price. */
function computedPrice(recipe: RecipeContent, costs: RecipeCosts): string | null {
  const { total, unpriced } = costs.costOf(skuOf(recipe), ONE)
  if (unpriced > 0) return null
  return decimalText(total, { places: recipe.declared_price?.split('.')[1]?.length ?? 2 })
}

type Line = Readonly<Record<string, unknown>>

/** The objects of a file of JSON lines; blank lines are none. Throws an error that names the line. */
export async function expectedLines(path: string): Promise<readonly Line[]> {
  const text = await readFile(path, 'utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      try {
        return JSON.parse(line) as Line
      } catch (cause) {
        throw new Error(`${path} line ${i + 1}: expected a JSON object`, { cause })
      }
    })
}

function differences(expected: readonly Line[], found: readonly object[], what: string): string[] {
  const wrong: string[] = []
  for (const [i, line] of expected.entries()) {
    const record = found[i] as Line | undefined
    if (record === undefined) wrong.push(`${what} ${i + 1}: expected ${shown(line)}, found none`)
    else if (!holds(record, line)) {
      const members = Object.fromEntries(Object.keys(line).map((key) => [key, record[key] ?? null]))
      wrong.push(`${what} ${i + 1}: expected ${shown(line)}, found ${shown(members)}`)
    }
  }
  for (const more of found.slice(expected.length)) wrong.push(`${what} that nobody expects: ${shown(more)}`)
  return wrong
}

/** Whether a value has every member of the expected one, at any depth; null also stands for an absent member. */
function holds(found: unknown, expected: unknown): boolean {
  if (expected === null) return found === undefined || found === null
  if (typeof expected !== 'object') return found === expected
  if (Array.isArray(expected))
    return Array.isArray(found) && found.length === expected.length && expected.every((one, i) => holds(found[i], one))
  if (typeof found !== 'object' || found === null) return false
  return Object.entries(expected).every(([key, value]) => holds((found as Line)[key], value))
}

const shown = (value: unknown) => {
  const text = JSON.stringify(value)
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`
}
