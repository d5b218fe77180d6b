import {
  CategoryChangesQuery,
  CategoryChangesResponse,
  COMPARED_ITEMS_MIN,
  operation,
} from '@catalog/api/contract/contract.ts'
import { publicationVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, sendDocument } from '@catalog/api/http/documents.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { type CategoryChange, readCategoryChanges } from '@catalog/store/catalog/price-points.ts'
import type { z } from 'zod'

/** GET /categories/changes: how the medians of each category moved. */
export function categoryChangesRoute(v1: V1, { store, cache }: Pick<ApiContext, 'store' | 'cache'>): void {
  v1.get(
    '/categories/changes',
    operation('getCategoryChanges', { querystring: CategoryChangesQuery, answer: CategoryChangesResponse }),
    async (request, reply) => {
      const { days, price_region: region } = request.query
      const key = JSON.stringify(['category changes', days, region])
      const document = await cache.get({ key, versionOf: publicationVersion }, async () => {
        const { until, categories } = await readCategoryChanges(store, { market: region ?? '', days })
        const answer: z.infer<typeof CategoryChangesResponse> = {
          days,
          price_region: region ?? null,
          since: until === null ? null : instant(new Date(Date.parse(until) - days * DAY_MS)),
          until: until === null ? null : instant(new Date(until)),
          categories: categories.map(shownChange),
        }
        return documentOf(JSON.stringify(answer), { 'content-type': JSON_TYPE })
      })
      return sendDocument(request, reply, document)
    },
  )
}

const shownChange = ({ category_id, compared, rises, falls, change }: CategoryChange) => ({
  id: category_id,
  compared_count: compared,
  rise_count: rises,
  fall_count: falls,
  // In hundredths of a percent, exactly.
  change_percent: compared < COMPARED_ITEMS_MIN ? null : Math.round(change * 10_000) / 100,
})
