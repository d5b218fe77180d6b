import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** Connections that this process has opened since, whichever client did. */
export interface WatchedSockets extends Disposable {
  readonly open: ReadonlySet<Socket>
  /** The next `answers` that brokers send are lost, and their connections break: the requests were executed. */
  lose(answers: number): void
  /** Nothing passes through the connections until {@link thaw}, as if the process were stopped. */
  freeze(): void
  thaw(): void
}

/** Watches connections that are opened from now on, until disposal; those that it has seen it keeps watching. */
export function watchSockets(): WatchedSockets {
  const open = new Set<Socket>()
  let losses = 0
  const seen = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
    socket.emit = (event: string | symbol, ...args: unknown[]) => {
      if (event !== 'data' || losses === 0) return emit(event, ...args)
      losses -= 1
      socket.destroy(new Error('the connection broke'))
      return true
    }
  }
  subscribe('net.client.socket', seen)
  return {
    open,
    lose(answers) {
      losses = answers
    },
    freeze() {
      for (const socket of open) {
        socket.cork()
        socket.pause()
      }
    },
    thaw() {
      for (const socket of open) {
        socket.uncork()
        socket.resume()
      }
    },
    [Symbol.dispose]: () => void unsubscribe('net.client.socket', seen),
  }
}
