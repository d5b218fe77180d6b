import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import type { OperationContext } from '@catalog/operations/catalog.ts'
import { type Delivery, openWebhook, type Webhook } from '@catalog/runtime/webhook.ts'

/** Events for the webhook of the operator (ALERT_WEBHOOK_URL): held crawls and exceeded thresholds. */

/** The webhook of the environment; null without one. */
export function webhookOf({ env, catalog, signal }: OperationContext): Webhook | null {
  const { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret, ALERT_ALLOWED_NETWORKS: allowed } = env
  if (url === undefined || secret === undefined) return null
  return openWebhook({ url, secret, allowed, now: catalog.now, random: Math.random, signal })
}

/** Posts a held crawl; null where there is nothing to post. One crawl is one event, however often it is reported. */
export async function alertHeld(
  webhook: Webhook | null,
  { source, report }: { source: { id: string; name: string }; report: CrawlReport },
): Promise<Delivery | null> {
  if (webhook === null || report.outcome !== 'held') return null
  const { crawlId: crawl_id, problems } = report
  return webhook.post({
    type: 'crawl.held',
    subject: `${source.id} ${crawl_id}`,
    data: { source_id: source.id, source: source.name, crawl_id, problems },
  })
}

type Breached = Readonly<{ source_id: string; name: string; breaches: readonly CrawlProblem[] }>

/**
 * Posts the exceeded thresholds of each source. The same thresholds of a source are one event a day (UTC), so that an
 * hourly batch does not repeat them.
 */
export async function alertBreaches(
  webhook: Webhook | null,
  { at, sources }: { at: string; sources: readonly Breached[] },
): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = []
  for (const { source_id, name, breaches } of webhook === null ? [] : sources) {
    if (webhook === null || breaches.length === 0) continue
    const codes = breaches.map(({ code }) => code).join(' ')
    const subject = `${source_id} ${at.slice(0, DAY_CHARS)} ${codes}`
    const data = { source_id, source: name, problems: breaches }
    deliveries.push(await webhook.post({ type: 'quality.breached', subject, data }))
  }
  return deliveries
}
/** The date part of an instant. */
const DAY_CHARS = 10

/** What to tell a person of a delivery that failed; null for one that did not. */
export function deliveryProblem(delivery: Delivery | null): string | null {
  if (delivery === null || delivery.isDelivered) return null
  return `ALERT_WEBHOOK_URL: event ${delivery.id} was not delivered in ${delivery.attempts} attempts: ${delivery.problem}`
}
