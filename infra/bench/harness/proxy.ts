import { connect, createServer } from 'node:net'

export interface MeteredProxy extends AsyncDisposable {
  readonly origin: string
  readonly receivedBytes: () => number
  readonly sentBytes: () => number
}

/** Forwards bytes to the origin and counts those of both directions, headers and compressed bodies included. */
export async function meteredProxy(origin: string): Promise<MeteredProxy> {
  const { hostname, port } = new URL(origin)
  let received = 0
  let sent = 0
  const proxy = createServer((downstream) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true })
    upstream.on('data', (chunk) => {
      received += chunk.length
    })
    downstream.on('data', (chunk) => {
      sent += chunk.length
    })
    downstream.pipe(upstream).pipe(downstream)
    downstream.on('error', () => upstream.destroy())
    upstream.on('error', () => downstream.destroy())
    open.add(downstream)
    downstream.on('close', () => open.delete(downstream))
  })
  const open = new Set<{ destroy(): void }>()
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address() as { port: number }
  return {
    origin: `http://127.0.0.1:${address.port}`,
    receivedBytes: () => received,
    sentBytes: () => sent,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
