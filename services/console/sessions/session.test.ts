import { expect, test } from 'vitest'
import { safeReturnPath } from './session.ts'

test.each([
  ['/console/account', '/console/account'],
  ['/console/workspaces/ws_1/audit?before=7', '/console/workspaces/ws_1/audit?before=7'],
  ['/console/consent/abc', '/console/consent/abc'],
])('accepts %j as the page after sign-in', (given, path) => {
  expect(safeReturnPath(given)).toBe(path)
})

test.each([
  [undefined],
  [['/console/account', '/console/account']],
  [''],
  ['/'],
  ['/v1/items'],
  ['/consoles/x'],
  ['//evil.example.org'],
  ['//evil.example.org/console/x'],
  ['/console//evil.example.org'],
  ['/console/..//evil.example.org'],
  ['/console/../..'],
  ['/console/../oauth/authorize'],
  ['/console/%2e%2e/%2e%2e/oauth'],
  ['/console/.%2E/oauth'],
  ['/\\evil.example.org'],
  ['/console/\\evil.example.org'],
  ['\\\\evil.example.org'],
  ['https://evil.example.org/console/x'],
  ['https:/console/x'],
  ['javascript:alert(1)'],
  [' /console/account'],
  ['/console/a\tb'],
  ['/console/a\r\nset-cookie: x=y'],
  ['\t//evil.example.org'],
  ['/console/\u2215x'],
  ['/console@evil.example.org'],
])('replaces %j by home after sign-in', (given) => {
  expect(safeReturnPath(given)).toBe('/console')
})
