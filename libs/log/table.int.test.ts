import { openTestStore } from '@catalog/store/testing.ts'
import { describeEventLog } from './conformance.ts'
import { openTableLog } from './table.ts'

describeEventLog('embedded', async () => {
  const store = await openTestStore()
  return {
    log: await openTableLog(store),
    reopen: () => openTableLog(store),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})
