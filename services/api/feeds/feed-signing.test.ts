import { expect, test } from 'vitest'
import { generatedMs } from './feed-signing.ts'

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`)
const began = (time: string) => `${at(time).toString(16).padStart(12, '0')}beeft3`

test.each([
  ['an idle catalog, at the begin of the hour', '08:00:00', began('07:00:00'), '12:00:00'],
  ['a change in this hour, at that change', '12:10:00', began('07:00:00'), '12:10:00'],
  ['a restore in this hour, when its generation began', '08:00:00', began('12:20:00'), '12:20:00'],
  ['a run as of a later hour, at the begin of the present one', '15:00:00', began('07:00:00'), '12:00:00'],
  ['a generation with another name, at the begin of the hour', '08:00:00', 'g1', '12:00:00'],
])('state.json says of %s', (_what, updated, gen, expected) => {
  const state = { gen, updatedUs: BigInt(at(updated)) * 1_000n }
  expect(generatedMs(state, new Date(at('12:34:56')))).toBe(at(expected))
})
