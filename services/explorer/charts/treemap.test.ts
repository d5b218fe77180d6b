import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Rectangle, squarified, treemapOf } from './treemap.ts'

const sizes = fc
  .array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 60 })
  .map((given) => given.toSorted((a, b) => b - a))
const within = fc.record({
  x: fc.integer({ min: 0, max: 50 }),
  y: fc.integer({ min: 0, max: 50 }),
  width: fc.integer({ min: 100, max: 1_200 }),
  height: fc.integer({ min: 100, max: 800 }),
})
const areaOf = ({ width, height }: Rectangle) => width * height
/** How far two rectangles overlap, in area. */
function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

test('rectangles are as large as their sizes, lie within the whole, and do not overlap', () => {
  fc.assert(
    fc.property(sizes, within, (given, whole) => {
      const placed = squarified(given, whole)
      const total = given.reduce((sum, size) => sum + size, 0)
      const slack = areaOf(whole) * 1e-6
      expect(placed).toHaveLength(given.length)
      for (const [i, rectangle] of placed.entries()) {
        expect(Math.abs(areaOf(rectangle) - (areaOf(whole) * (given[i] as number)) / total)).toBeLessThan(slack)
        expect(Math.abs(overlap(rectangle, whole) - areaOf(rectangle))).toBeLessThan(slack)
        for (const other of placed.slice(i + 1)) expect(overlap(rectangle, other)).toBeLessThan(slack)
      }
    }),
  )
})

test('equal sizes in a square become squares', () => {
  const placed = squarified([1, 1, 1, 1], { x: 0, y: 0, width: 100, height: 100 })
  for (const { width, height } of placed) expect([width, height]).toEqual([50, 50])
})

test('an area shows its change by colour and words, and none without items', () => {
  const area = (name: string, items: number, share: number | undefined, words: string) => ({
    name,
    href: `/categories/${name}`,
    items,
    change: { share, words },
  })
  const markup = treemapOf([
    area('Steel', 10, 0.07, '+7%'),
    area('<Cement>', 20, -0.02, '-2%'),
    area('Sand', 5, 0.001, '+0.1%'),
    area('Labour', 5, undefined, ''),
    area('Empty', 0, undefined, ''),
  ])
  expect(markup).toMatch(/href="\/categories\/Steel"[\s\S]*?class="rise large"[\s\S]*?\+7%/)
  expect(markup).toMatch(/class="fall"[\s\S]*?&#60;Cement&#62;/)
  expect(markup).toMatch(/href="\/categories\/Sand"[\s\S]*?class="level"/)
  expect(markup).toMatch(/href="\/categories\/Labour"[\s\S]*?class="unknown"/)
  expect(markup).not.toContain('Empty')
})
