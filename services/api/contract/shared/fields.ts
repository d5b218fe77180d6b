import { z } from 'zod'

/** Fields that several answers share. */

export const Id = (prefix: string, what: string) =>
  z.string().meta({
    description: `${what}: \`${prefix}\` and a unique suffix`,
    examples: [`${prefix}4pkz6qjxw2h7mtd3ruvy5cnaeo`],
  })
export const Instant = z.iso.datetime()
export const Count = z.int().min(0)
export const Currency = z.string().meta({ description: 'ISO 4217 code', examples: ['EUR'] })
export const Cents = z.int().meta({ description: 'Minor units of the currency' })
export const MoneyAmount = z.strictObject({ cents: Cents, currency: Currency })

export const NextCursor = z.string().nullable().meta({ description: 'Opaque; null when no page follows' })

export const Seq = Count.meta({ description: 'Number of a change within its scope' })
export const Sha256 = z.string().meta({ description: 'SHA-256, hexadecimal' })
export const Bytes = z.string().meta({ format: 'binary' })
export const Markdown = z.string().meta({ description: 'The item for language models' })
