import { describeEventLog } from '@catalog/stack/conformance/event-log.ts'
import { openTestStore } from '@catalog/stack/testing/store.ts'
import { openTableLog } from './table.ts'

describeEventLog('embedded', async () => {
  const store = await openTestStore()
  return {
    log: await openTableLog(store),
    reopen: () => openTableLog(store),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})
