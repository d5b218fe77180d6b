import { z } from 'zod'
import { Instant } from './fields.ts'
import { Text } from './parameters.ts'

/** Callers: tiers, plans, usage and keys. */

export const PublicApiMeta = z
  .strictObject({
    tier: z.enum(['anon', 'public_dev', 'org']),
    rate_limit_per_min: z.int().meta({ description: 'The per-minute limit of the caller' }),
  })
  .meta({ id: 'PublicApiMeta' })

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

export const UsageResponse = z
  .strictObject({
    tier: z.string(),
    rate_limit_per_min: z.int(),
    monthly_cap: z.int(),
    monthly_used: z.int().meta({ description: 'For an organization key: by all keys of its workspace' }),
    monthly_remaining: z.int(),
    reset_at: Instant.meta({ description: 'The first of the next month, UTC' }),
    upgrade_url: z.string(),
  })
  .meta({ id: 'UsageResponse' })

export const CreateDeveloperKeyResponse = z
  .strictObject({
    key: z.string().meta({
      description: 'The key, shown only this once',
      examples: ['svc_pub_7Jq2XbT0c9LmZrV4kYpWn8sGdHf1aE3eo2Bq'],
    }),
    rate_limit_per_min: z.int(),
    tier: z.string(),
    docs: z.string(),
    note: z.string(),
  })
  .meta({ id: 'CreateDeveloperKeyResponse' })

export const RevokeKeyResponse = z
  .strictObject({ revoked: z.boolean(), id: z.string().meta({ description: 'The key’s id' }) })
  .meta({ id: 'RevokeKeyResponse' })

const EMAIL_CHARS_MAX = 255
/** Lengths of RFC 5321 and RFC 1035: 64 characters before the @, and 63 a label, which does not end in a hyphen. */
const EMAIL_LENGTHS = /^[^@]{1,64}@([^.]{0,62}[^.-]\.)+[^.]{1,63}$/

export const CreateDeveloperKeyRequest = z
  .object(
    {
      email: z
        .string('expected an e-mail address')
        .trim()
        .max(EMAIL_CHARS_MAX, `expected at most ${EMAIL_CHARS_MAX} characters`)
        .check(z.email('expected an e-mail address'))
        .refine((value) => EMAIL_LENGTHS.test(value), 'expected an e-mail address')
        .meta({
          description: 'Not verified; it limits how many keys are given out',
          examples: ['a@example.org'],
        }),
      name: Text({ min: 0, max: 200, description: 'What the key is for' }).optional(),
    },
    'expected a JSON object',
  )
  .meta({ id: 'CreateDeveloperKeyRequest' })
