import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * The first message with which this worker answers an order. It works in a process of its own, which begins with an
 * empty heap and ends with its answer. Throws where the process ends without one.
 */
export async function resultOf<Result>(
  worker: URL,
  order: object,
  { execArgv = [] }: { execArgv?: readonly string[] } = {},
): Promise<Result> {
  const child = fork(fileURLToPath(worker), { execArgv: [...execArgv] })
  const exited = once(child, 'exit')
  const failed = exited.then(([code, signal]) => {
    throw new Error(`${worker.pathname} ended with ${code ?? signal}, expected its result`)
  })
  child.send(order)
  const [result] = (await Promise.race([once(child, 'message'), failed])) as [Result]
  failed.catch(() => {})
  child.kill()
  await exited
  return result
}

/** In a worker: answers the first order with what the work returns, and ends. A failure ends it without an answer. */
export function answerOrder<Order, Result>(work: (order: Order) => Promise<Result>): void {
  process.once('message', async (order) => {
    process.send?.(await work(order as Order))
    process.disconnect()
  })
}
