import type { Limits } from './caller.ts'
import type { ApiContext, V1 } from './context.ts'
import { answers, PricingResponse } from './contract.ts'

/** GET /pricing: what a free developer key allows. */
export function pricingRoute(v1: V1, { baseUrl, limits }: Pick<ApiContext, 'baseUrl'> & { limits: Limits }): void {
  v1.get(
    '/pricing',
    {
      schema: {
        operationId: 'getPricing',
        summary: 'Limits of public access',
        tags: ['Service'],
        response: answers('The tiers', { 'application/json': PricingResponse }),
      },
    },
    async () => ({
      tiers: [
        {
          tier: 'free' as const,
          display_name: 'Developer',
          price_usd_month: 0,
          rate_limit_per_min: limits.publicDevPerMinute,
          monthly_request_cap: limits.publicDevPerMonth,
          features: [
            'Items, details with vendors and 90 days of price history, feeds',
            `Search, ${limits.searchPerMinute} requests a minute`,
          ],
        },
      ],
      plan_url: baseUrl.replace(/\/v1$/, '/'),
      note: `Reads need no key: ${limits.anonPerMinute} requests a minute and address.`,
      docs: `${baseUrl}/openapi.json`,
    }),
  )
}
