import { expandedRegions } from '@catalog/core/median/regions.ts'
import { componentSkuId, LEVELS_MAX } from '@catalog/core/recipes/recipe-cost.ts'
import { compareText } from '@catalog/core/text.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type RecipeRow, readRecipes } from '@catalog/store/vendor/recipes.ts'

/** Chooses the recipe of an item, and reads those below it. */

/** Sorts by region, then trust, then date; the id breaks ties, so that the choice is deterministic. */
export function byPreference(region: string | undefined) {
  const isLocal = ({ source_region }: RecipeRow) =>
    region !== undefined && (source_region === region || expandedRegions(source_region).includes(region))
  return (a: RecipeRow, b: RecipeRow): number =>
    Number(isLocal(b)) - Number(isLocal(a)) ||
    b.trust_score - a.trust_score ||
    compareText(b.recipe.observed_at, a.recipe.observed_at) ||
    compareText(a.vendor_sku_id, b.vendor_sku_id)
}

export type Recipes = ReadonlyMap<string, RecipeRow>

/**
 * The recipes of these and of their components, by SKU, level by level. Reads each once, so that cycles end. Not whole
 * beyond the limits of recipes, bytes or levels.
 */
export async function recipesBelow(
  db: Queryable,
  roots: readonly RecipeRow[],
  { recipesMax }: { recipesMax: number },
): Promise<{ recipes: Recipes; isWhole: boolean }> {
  const recipes = new Map(roots.map((row) => [row.vendor_sku_id, row]))
  let level = roots
  let bytesMax = RECIPES_BYTES_MAX
  for (let depth = 1; level.length > 0; depth++) {
    const wanted = new Set(
      level.flatMap(({ recipe }) =>
        recipe.components.flatMap((component) => {
          const skuId = component.kind === 'auxiliary' ? componentSkuId(recipe, component) : null
          return skuId === null || recipes.has(skuId) ? [] : [skuId]
        }),
      ),
    )
    if (depth === LEVELS_MAX && wanted.size > 0) return { recipes, isWhole: false }
    const room = Math.max(0, recipesMax - recipes.size)
    const found = await readRecipes(db, { skuIds: [...wanted].slice(0, room), bytesMax })
    for (const [skuId, row] of found.recipes) recipes.set(skuId, row)
    if (wanted.size > room || !found.isWhole) return { recipes, isWhole: false }
    level = [...found.recipes.values()]
    bytesMax -= found.bytes
  }
  return { recipes, isWhole: true }
}

/** Bytes of the recipes below the first ones: some 40,000 lines. */
const RECIPES_BYTES_MAX = 8 * 1024 ** 2
