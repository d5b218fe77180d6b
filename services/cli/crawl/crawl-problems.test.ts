import { describe, expect, test } from 'vitest'
import { heldNext } from './crawl-problems.ts'

const commandsOf = (id: string) => `catalog sources accept ${id}, or catalog sources drop ${id} --reason "..."`

describe('the next step where crawls are held', () => {
  test('decides about the only one', () => {
    expect(heldNext(['src_a'])).toBe(commandsOf('src_a'))
  })

  test('names each with both commands', () => {
    expect(heldNext(['src_a', 'src_b'])).toBe(`2 crawls are held: ${commandsOf('src_a')}; ${commandsOf('src_b')}`)
  })

  test('names five at most, and how many there are', () => {
    const ids = ['1', '2', '3', '4', '5', '6', '7']
    const named = ids.slice(0, 5).map(commandsOf).join('; ')
    expect(heldNext(ids)).toBe(`7 crawls are held: ${named}; and 2 more: catalog sources`)
    expect(heldNext(['1'], 60)).toBe(`60 crawls are held: ${commandsOf('1')}; and 59 more: catalog sources`)
  })
})
