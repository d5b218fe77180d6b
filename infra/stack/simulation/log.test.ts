import type { EventLog } from '@catalog/log/log.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import { describeEventLog } from '@catalog/stack/conformance/event-log.ts'
import { SimulatedLog } from './log.ts'
import { Scheduler } from './scheduler.ts'

// The same promises as of the real logs, in a world without faults whose scheduler runs beside the suite.
describeEventLog('simulated', async () => {
  const scheduler = new Scheduler({ random: randomOf(1), faults: () => undefined, onStop() {}, onRestart() {} })
  const log = new SimulatedLog({
    scheduler: () => scheduler,
    random: randomOf(2),
    partitions: 4,
    isShared: false,
    batchMax: 1_000,
  })
  let isOpen = true
  const running = (async () => {
    while (isOpen) await scheduler.run(() => true, Number.MAX_SAFE_INTEGER)
  })()
  const open = (): EventLog =>
    log.logOf(
      scheduler.spawn(
        'client',
        async () => {},
        () => {},
      ),
    )
  return {
    log: open(),
    reopen: async () => open(),
    async [Symbol.asyncDispose]() {
      isOpen = false
      await running
    },
  }
})
