import { Count, Id, Instant, MoneyAmount } from '@catalog/api/contract/shared/fields.ts'
import { InstantParameter } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'
import { Run } from './basis.ts'

/** What changed of an item between two instants. */

const Value = z.union([z.string(), z.number(), z.array(z.string())]).nullable()
const Side = z.strictObject({
  at: Instant.nullable().meta({ description: 'The instant that was asked for; null: now' }),
  run_id: Run.nullable().meta({ description: 'The last finished run up to it; null: there was none yet' }),
  as_of: Instant.nullable().meta({ description: 'Instant of that run' }),
  state: z.enum(['active', 'merged', 'gone', 'absent', 'not_kept']).meta({
    description:
      '`absent`: not yet published; `gone`: no longer sold; `not_kept`: dropped by retention, but for medians',
  }),
  merged_into: z.string().nullable().meta({ description: 'The item that a merged one became part of' }),
})

export const ItemDiffResponse = z
  .strictObject({
    item_id: Id('ci_', 'Item id'),
    from: Side,
    to: Side,
    kept_since: Instant.nullable().meta({
      description: 'From this instant on every state is kept; null: all are',
    }),
    fields: z
      .array(
        z.strictObject({
          field: z.string().meta({
            description:
              '`name`, `unit`, `cpv`, `category_id`, `kind`, `vendor_count`, `observation_count` or `regions`',
            examples: ['name'],
          }),
          from: Value,
          to: Value,
        }),
      )
      .meta({ description: 'Fields that differ; empty where a state is not kept; null: not published, or no value' }),
    markets: z
      .array(
        z.strictObject({
          region: z.string().nullable().meta({ description: 'null: the headline' }),
          median: z.strictObject({ from: MoneyAmount.nullable(), to: MoneyAmount.nullable() }),
          change_percent: z.number().nullable().meta({
            description: 'Of the median, with two decimals; null between two currencies, and where one is missing',
          }),
          vendor_count: z
            .strictObject({ from: Count.nullable(), to: Count.nullable() })
            .meta({ description: 'Vendors that sell it there; null: not kept' }),
        }),
      )
      .meta({ description: 'Markets whose median or vendors differ, the headline first' }),
  })
  .meta({ id: 'ItemDiffResponse' })
export type ItemDiff = z.infer<typeof ItemDiffResponse>

export const ItemDiffQuery = z
  .object({
    from: InstantParameter('What the catalog showed after the last run up to this instant'),
    to: InstantParameter('The same for this instant; absent: now').optional(),
  })
  .superRefine(({ from, to }, context) => {
    if (to === undefined || Date.parse(to) >= Date.parse(from)) return
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: `expected an instant that is not before from, ${from}`,
    })
  })
