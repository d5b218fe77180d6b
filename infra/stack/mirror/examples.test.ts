import { successExample } from '@catalog/api/docs/examples.ts'
import { chainStart } from '@catalog/core/changes/change.ts'
import { checkedChanges, parseDocument } from '@catalog/mirror/feed-document.ts'
import { expect, test } from 'vitest'

test.each([
  ['getItemsAtom', 'application/atom+xml'],
  ['getRegionAtom', 'application/atom+xml'],
  ['getItemsArchiveAtom', 'application/atom+xml'],
])('the example of %s as %s is a feed that a mirror takes', (operation, type) => {
  const document = parseDocument(Buffer.from(successExample(operation, type) as string))
  const { gen, scope } = document
  const chain = chainStart(gen, scope).toString('hex')
  const changes = checkedChanges(document, { scope, from: { seq: 0, chain }, chains: new Map() })
  expect(changes).toMatchObject([{ seq: 1, op: 'upsert', chain: document.chain }])
})
