import { describe, expect, test } from 'vitest'
import { isConsentPage, statusSentence } from './bot-protection.ts'

describe('bot protection', () => {
  test.each([
    [403, { 'cf-mitigated': 'challenge', server: 'cloudflare' }, 'a challenge of Cloudflare'],
    [403, { server: 'cloudflare' }, 'Cloudflare'],
    [405, { 'x-amzn-waf-action': 'captcha' }, 'a challenge of AWS WAF'],
    [403, { server: 'AkamaiGHost' }, 'Akamai'],
    [403, { 'x-datadome': 'protected' }, 'DataDome'],
  ])('is named: %d with %j', (status, headers, name) => {
    expect(statusSentence(status, headers)).toBe(
      `status ${status}, expected 200: ${name} turns the crawler away; ask the shop for a feed, or to let it in`,
    )
  })

  test.each([
    [403, { server: 'nginx' }],
    [404, { server: 'cloudflare' }],
    [500, { server: 'cloudflare', 'cf-ray': '1' }],
  ])('is not blamed for what the shop answers: %d with %j', (status, headers) => {
    expect(statusSentence(status, headers)).toBe(`status ${status}, expected 200`)
  })
})

test.each([
  ['https://consent.shop.example/m?continue=x', true],
  ['https://shop.example/cookie-consent/?next=/p/1', true],
  ['https://shop.example/consent', true],
  ['https://shop.example/products/consent-form-pads', false],
])('whether %s asks for consent: %s', (url, is) => {
  expect(isConsentPage(new URL(url))).toBe(is)
})
