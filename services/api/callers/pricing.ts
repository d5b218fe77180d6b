import { operation, PricingResponse } from '@catalog/api/contract/contract.ts'
import { type ApiContext, docsUrl, plansUrl, type V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, sendDocument } from '@catalog/api/http/documents.ts'
import { PAGE_HEADERS } from '@catalog/api/http/headers.ts'
import { readDataFile } from '@catalog/core/data-file.ts'
import { CATALOG, frame, html, type Markup } from '@catalog/pages/markup.ts'
import { STYLE } from '@catalog/pages/style.ts'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Limits } from './rate-limits.ts'

/** The monthly price of a workspace plan. The operator sets plans up, and nothing is charged beyond the price. */
const WORKSPACE_USD_MONTH = 29

type PricingContext = Pick<ApiContext, 'baseUrl'> & Readonly<{ limits: Limits }>

/** GET /pricing: the limits of a free developer key. */
export function pricingRoute(v1: V1, { baseUrl, limits }: PricingContext): void {
  const pricing: z.infer<typeof PricingResponse> = {
    tiers: [
      {
        tier: 'free',
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
    plan_url: plansUrl(baseUrl),
    note: `Reads need no key: ${limits.anonPerMinute} requests a minute and address. POST ${baseUrl}/keys/signup gives a free key; a workspace plan has ${limits.orgPerMinute} requests a minute for USD ${WORKSPACE_USD_MONTH} a month.`,
    docs: docsUrl(baseUrl),
  }
  const document = documentOf(JSON.stringify(pricing), { 'content-type': JSON_TYPE })
  v1.get(
    '/pricing',
    { config: { bucket: 'service' }, ...operation('getPricing', { answer: PricingResponse }) },
    async (request, reply) => sendDocument(request, reply, document),
  )
}

/** GET /plans: the same limits and the workspace plan, as a page. */
export function plansPage(outside: FastifyInstance, { baseUrl, limits }: PricingContext): void {
  const page = documentOf(plansHtml(baseUrl, limits), PAGE_HEADERS)
  outside.get('/plans', { schema: { hide: true } }, async (request, reply) => sendDocument(request, reply, page))
}

/** The plans, with places for the limits and addresses of this catalog. */
type Plan = Readonly<{ name: string; price: string; lines: readonly string[]; how: string }>
const PLANS = readDataFile(import.meta.url, 'plans.yaml') as readonly Plan[]

const PLANS_STYLE = `
.plans{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:1rem;margin:2rem 0}
section{border:1px solid var(--edge);border-radius:.6rem;padding:1.25rem;display:flex;flex-direction:column}
section h2{margin:0}
section ul{margin:0 0 1rem;padding-left:1.1rem;flex:1}
.price{font-size:1.6rem;font-weight:600;margin:.25rem 0 .75rem}
`

function plansHtml(baseUrl: string, limits: Limits): Markup {
  const values: Readonly<Record<string, string | number>> = {
    ...limits,
    baseUrl,
    consoleUrl: baseUrl.replace(/v1$/, 'console'),
    workspaceUsd: WORKSPACE_USD_MONTH,
  }
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_place, name: string) => values[name]?.toLocaleString('en-US') ?? '')
  const cards = PLANS.map(
    ({ name, price, lines, how }) => html`<section><h2>${name}</h2>
<p class="price">${filled(price)}</p>
<ul>!${lines.map((line) => html`<li>${filled(line)}</li>`)}</ul>
<pre>${filled(how)}</pre></section>`,
  )
  return frame({
    title: `Plans · ${CATALOG}`,
    style: STYLE + PLANS_STYLE,
    body: html`<main><h1>${CATALOG}</h1>
<p>Trust-weighted medians of observed construction prices. Every plan reads the same data.</p>
<div class="plans">!${cards}</div>
<p>An answer of “not changed” (304) is free up to ten times the limit a minute. What is left stands in the headers of
every answer, and for keys at <code>${baseUrl}/usage</code>. <a href="${docsUrl(baseUrl)}">Documentation</a></p></main>`,
  })
}
