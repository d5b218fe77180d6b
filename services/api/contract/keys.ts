import { domainToASCII } from 'node:url'
import { described, shape } from '@catalog/api/contract/shared/described.ts'
import { Instant } from '@catalog/api/contract/shared/fields.ts'
import { Text } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'

/** Callers: tiers, plans, usage and keys. */

export const PublicApiMeta = shape('PublicApiMeta', {
  tier: z.enum(['anon', 'public_dev', 'org']),
  rate_limit_per_min: z.int(),
}).meta({ id: 'PublicApiMeta' })

export const PricingTier = z
  .strictObject({
    tier: z.enum(['free']),
    display_name: z.string(),
    price_usd_month: z.number(),
    rate_limit_per_min: z.int(),
    monthly_request_cap: z.int(),
    features: z.array(z.string()),
  })
  .meta({ id: 'PricingTier' })

export const PricingResponse = z
  .strictObject({ tiers: z.array(PricingTier), plan_url: z.string(), note: z.string(), docs: z.string() })
  .meta({ id: 'PricingResponse' })

export const UsageResponse = shape('UsageResponse', {
  tier: z.string(),
  rate_limit_per_min: z.int(),
  monthly_cap: z.int(),
  monthly_used: z.int(),
  monthly_remaining: z.int(),
  reset_at: Instant,
  upgrade_url: z.string(),
}).meta({ id: 'UsageResponse' })

export const CreateDeveloperKeyResponse = shape('CreateDeveloperKeyResponse', {
  key: z.string(),
  rate_limit_per_min: z.int(),
  tier: z.string(),
  docs: z.string(),
  note: z.string(),
}).meta({ id: 'CreateDeveloperKeyResponse' })

export const RevokeKeyResponse = shape('RevokeKeyResponse', { revoked: z.boolean(), id: z.string() }).meta({
  id: 'RevokeKeyResponse',
})

const EMAIL_CHARS_MAX = 255
const EMAIL_EXPECTED = 'expected an e-mail address'
/** Of RFC 5321 §4.5.3.1.1 and RFC 1035 §2.3.4. */
const LOCAL_CHARS_MAX = 64
const LABEL_CHARS_MAX = 63

/** An e-mail address; a domain in other letters is the same as its form in ASCII (RFC 3492). */
const Email = z
  .string(EMAIL_EXPECTED)
  .trim()
  .max(EMAIL_CHARS_MAX, `expected at most ${EMAIL_CHARS_MAX} characters`)
  .transform((value) => {
    const at = value.lastIndexOf('@')
    return at < 0 ? value : `${value.slice(0, at)}@${domainToASCII(value.slice(at + 1))}`
  })
  .superRefine((value, context) => {
    const [local = '', domain = ''] = value.split('@')
    const labels = domain.split('.')
    if (local.length > LOCAL_CHARS_MAX) context.addIssue(`expected at most ${LOCAL_CHARS_MAX} characters before the @`)
    else if (labels.some(({ length }) => length > LABEL_CHARS_MAX))
      context.addIssue(`expected at most ${LABEL_CHARS_MAX} characters between the dots of the domain`)
    else if (!z.email().safeParse(value).success || labels.some((label) => label.endsWith('-')))
      context.addIssue(EMAIL_EXPECTED)
  })
  .meta({
    description: 'Not verified; it limits how many keys are given out',
    type: 'string',
    format: 'email',
    // The document promises the addresses in ASCII; others are taken too.
    pattern: z.regexes.email.source,
    maxLength: EMAIL_CHARS_MAX,
    examples: ['a@example.org'],
  })

export const CreateDeveloperKeyRequest = z
  .object(
    described('CreateDeveloperKeyRequest', {
      email: Email,
      name: Text({ min: 0, max: 200 }).optional(),
    }),
    'expected a JSON object',
  )
  .meta({ id: 'CreateDeveloperKeyRequest' })
