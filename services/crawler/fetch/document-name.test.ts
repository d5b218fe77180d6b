import { describe, expect, test } from 'vitest'
import { DETAIL_CHARS_MAX, documentName, withoutKeysOf, withoutSecrets } from './document-name.ts'

describe('the name of a document', () => {
  test.each([
    ['https://shop.example/feed.xml', 'https://shop.example/feed.xml'],
    ['https://shop.example/feed.xml?page=2&lang=es', 'https://shop.example/feed.xml?page=2&lang=es'],
    ['https://shop.example/f?token=abc&page=2', 'https://shop.example/f?token=…&page=2'],
    ['https://shop.example/f?page=2&api_key=a%3Db=c', 'https://shop.example/f?page=2&api_key=…'],
    [
      'https://shop.example/f?accessKey=a&apiKey=b&apikey=c&k%65y=d',
      'https://shop.example/f?accessKey=…&apiKey=…&apikey=…&k%65y=…',
    ],
    ['https://s3.example/f?X-Amz-Signature=a&X-Amz-Date=b', 'https://s3.example/f?X-Amz-Signature=…&X-Amz-Date=b'],
    ['https://shop.example/f?design=oak&keyword=brick&sku=7', 'https://shop.example/f?design=oak&keyword=brick&sku=7'],
    ['https://name:word@shop.example/f#part', 'https://shop.example/f'],
    ['https://shop.example/f;jsessionid=A1;v=2?PHPSESSID=b', 'https://shop.example/f;jsessionid=…;v=2?PHPSESSID=…'],
    ['https://name:word@shop.example:99999/f?token=abc', 'https://shop.example:99999/f?token=…'],
    ['no address', 'no address'],
  ])('of %s is %s', (address, name) => {
    expect(documentName(address)).toBe(name)
  })

  test('is cut, and stays distinct for another address', () => {
    const long = `https://shop.example/${'a'.repeat(1_900)}`
    const names = [`${long}?page=1`, `${long}?page=2`].map(documentName)
    expect(names.map(({ length }) => length)).toEqual([300, 300])
    expect(names[0]).not.toBe(names[1])
  })
})

describe('a sentence', () => {
  test('contains no secret of any address', () => {
    const sentence = "https://shop.example/it's?token=abc: redirect to 'https://b.example/?key=def': expected https"
    expect(withoutSecrets(sentence)).toBe(
      "https://shop.example/it's?token=…: redirect to 'https://b.example/?key=…': expected https",
    )
  })

  test('is read in linear time, whatever it contains', () => {
    const began = performance.now()
    withoutSecrets(`https://[${','.repeat(200_000)}x`)
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  test('fits into a problem', () => {
    const cut = withoutSecrets(`a\0b\x1f${'x'.repeat(DETAIL_CHARS_MAX - 5)}😀😀`)
    expect(cut).toHaveLength(DETAIL_CHARS_MAX)
    expect(cut.startsWith('a b x')).toBe(true)
    expect(cut.isWellFormed()).toBe(true)
  })
})

describe('an address of a source', () => {
  const withoutKeys = withoutKeysOf(['https://shop.example/feed?token=abc&lang=es', 'https://shop.example/all?key=7'])

  test.each([
    ['https://shop.example/feed?token=abc&lang=es', 'https://shop.example/feed?lang=es'],
    ['https://shop.example/p?id=1&token=abc&key=7', 'https://shop.example/p?id=1'],
    ['https://shop.example/p?key=8&token=&lang=es', 'https://shop.example/p?key=8&token=&lang=es'],
    ['https://shop.example/p?q=a+b%20c', 'https://shop.example/p?q=a+b%20c'],
    ['no address', 'no address'],
  ])('%s loses the keys of the entry points %s', (address, rest) => {
    expect(withoutKeys(address)).toBe(rest)
  })
})
