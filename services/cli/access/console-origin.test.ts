import { listening } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { consoleOriginOf } from './console-origin.ts'

test('links begin with the public address; a guess is told', () => {
  const { heard, terminal } = listening()
  expect(consoleOriginOf({ PUBLIC_BASE_URL: 'https://prices.example/v1', PORT: 1 }, terminal)).toBe(
    'https://prices.example',
  )
  expect(heard.notes).toEqual([])
  expect(consoleOriginOf({ PUBLIC_BASE_URL: undefined, PORT: 8080 }, terminal)).toBe('http://127.0.0.1:8080')
  expect(heard.notes).toEqual([expect.stringContaining('http://127.0.0.1:8080: set PUBLIC_BASE_URL')])
})
