import { createHash, createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type GuardedFetch, openFetch } from './fetch.ts'

/**
 * Posts events to one address of the operator. Each is signed, repeated a bounded number of times under one id, and sent
 * to the public internet only, or to networks that the operator allows.
 */
export type Webhook = Readonly<{
  /** Posts an event and returns its delivery; never throws but the signal's reason. */
  post: (event: WebhookEvent) => Promise<Delivery>
}>

/** `subject` identifies what happened: equal subjects of a type get one id, so that the receiver can drop repetitions. */
export type WebhookEvent = Readonly<{ type: string; subject: string; data: object }>

/** Names neither the address, whose path may hold a secret, nor the receiver's answer. */
export type Delivery = Readonly<{ isDelivered: boolean; id: string; attempts: number; problem: string | null }>

export type WebhookOptions = Readonly<{
  url: string
  secret: string
  /** CIDR networks besides the public internet. */
  allowed: readonly string[]
  now: () => Date
  /** From 0 up to 1. */
  random: () => number
  signal?: AbortSignal | undefined
  /** Replaces the timing in tests. */
  timing?: Partial<Timing>
}>
type Timing = Readonly<{ attempts: number; attemptMs: number; delayMs: number }>

/** Together at most half a minute: a crawl waits for it. */
const TIMING: Timing = { attempts: 4, attemptMs: 5_000, delayMs: 1_000 }
const BODY_BYTES_MAX = 64 * 1024

/**
 * The signature of a body: `v1=` and the HMAC-SHA256, in hex, of the timestamp, a point and the body under the secret.
 * The receiver computes it again, compares in constant time, and refuses old timestamps.
 */
export function signatureOf(secret: string, { timestamp, body }: { timestamp: string; body: string }): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/** Opens the webhook of an operator. */
export function openWebhook({ url, secret, now, random, signal, ...options }: WebhookOptions): Webhook {
  const send = openFetch({ allowed: options.allowed })
  const { attempts, attemptMs, delayMs } = { ...TIMING, ...options.timing }
  return {
    async post({ type, subject, data }) {
      const id = createHash('sha256')
        .update(JSON.stringify([type, subject]))
        .digest('hex')
        .slice(0, 32)
      const body = JSON.stringify({ id, type, created_at: now().toISOString(), ...data })
      if (Buffer.byteLength(body) > BODY_BYTES_MAX) {
        return { isDelivered: false, id, attempts: 0, problem: `the event is longer than ${BODY_BYTES_MAX} bytes` }
      }
      let problem: string | null = null
      for (let attempt = 1; attempt <= attempts; attempt++) {
        const result = await attemptPost(send, { url, id, body, secret, now, attemptMs, signal })
        signal?.throwIfAborted()
        if (result === null) return { isDelivered: true, id, attempts: attempt, problem: null }
        problem = result.problem
        if (!result.isPassing) return { isDelivered: false, id, attempts: attempt, problem }
        // Full jitter spreads the repetitions of several processes.
        if (attempt < attempts) await pause(delayMs * 2 ** (attempt - 1) * (0.5 + random()), signal)
      }
      return { isDelivered: false, id, attempts, problem }
    },
  }
}

type Attempt = Pick<WebhookOptions, 'url' | 'secret' | 'now' | 'signal'> &
  Readonly<{ id: string; body: string; attemptMs: number }>

/** Null when the receiver took the event; otherwise the problem, and whether it may pass. */
async function attemptPost(
  send: GuardedFetch,
  { url, id, body, secret, now, attemptMs, signal }: Attempt,
): Promise<{ problem: string; isPassing: boolean } | null> {
  const timestamp = String(Math.floor(now().getTime() / 1000))
  const timeout = AbortSignal.timeout(attemptMs)
  try {
    const response = await send(url, {
      method: 'POST',
      // A redirect would carry the event to an address that the operator did not name.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'construction-cost-catalog',
        'idempotency-key': id,
        'catalog-timestamp': timestamp,
        'catalog-signature': signatureOf(secret, { timestamp, body }),
      },
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    await response.body?.cancel().catch(() => {})
    const { status } = response
    if (status >= 200 && status < 300) return null
    const isPassing = status >= 500 || status === 408 || status === 425 || status === 429
    return { problem: `the receiver answered ${status}; expected 200 to 299`, isPassing }
  } catch (error) {
    const { cause } = error as Error
    if (cause instanceof Error && cause.name === 'ForbiddenAddress') {
      const problem =
        'the address is not of the public internet; expected one that is, or a network of ALERT_ALLOWED_NETWORKS'
      return { problem, isPassing: false }
    }
    const problem = timeout.aborted ? `no answer within ${attemptMs} ms` : 'the receiver cannot be reached'
    return { problem, isPassing: true }
  }
}

/** Throws the signal's reason once it aborts. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  delay(ms, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted())
