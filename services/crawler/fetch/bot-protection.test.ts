import { describe, expect, test } from 'vitest'
import { gateOf, statusSentence } from './bot-protection.ts'

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

const CONSENT = 'a page that asks for consent'
const SIGN_IN = 'a page that asks to sign in'
const PASSWORD = "a page that asks for the shop's password (Shopify)"

test.each([
  ['https://consent.shop.example/m?continue=x', CONSENT],
  ['https://shop.example/cookie-consent/?next=/p/1', CONSENT],
  ['https://shop.example/consent', CONSENT],
  ['https://shop.example/products/consent-form-pads', null],
  ['https://shop.example/login', SIGN_IN],
  ['https://shop.example/customer/account/login/referer/x/', SIGN_IN],
  ['https://shop.example/users/sign_in', SIGN_IN],
  ['https://shop.example/wp-login.php?redirect_to=x', SIGN_IN],
  ['https://login.shop.example/', SIGN_IN],
  ['https://shop.example/products/login-screen-film', null],
  ['https://shop.example/password', PASSWORD],
  ['https://shop.example/en-ca/password', PASSWORD],
  ['https://shop.example/products/password', null],
])('given %s, when it is looked at, then it asks for: %s', (url, gate) => {
  expect(gateOf(new URL(url))).toBe(gate)
})
