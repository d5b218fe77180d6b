import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextGeneration } from './generation.ts'

test('a later generation gets the greater name, even when the clock was set back', () => {
  const clock = fc.array(fc.date({ min: new Date('2026-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }))
  fc.assert(
    fc.property(clock, (instants) => {
      let present: string | null = null
      for (const now of instants) {
        const next = nextGeneration(present, now)
        expect(next).toMatch(/^[0-9a-f]{16}t4$/)
        if (present !== null) expect(next > present).toBe(true)
        present = next
      }
    }),
  )
})
