import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** What a proxy does to connections until it is healed. All faults hold for open connections too, unless they say so. */
export type NetworkFault = Readonly<{
  /** Every chunk waits so long in each direction. */
  latencyMs?: number
  bytesPerSecond?: number
  /** A reply to COMMIT waits so long besides, as behind a disk that syncs slowly. */
  commitMs?: number
  /** Nothing passes in these directions, and no connection ends: the other side went without a word. */
  silent?: 'replies' | 'both'
  /** New connections are reset. */
  isRefusing?: boolean
  /** Every request gets these bytes instead of an answer, and the connection ends. */
  answer?: string
  /** Of replies to COMMIT, this share is lost: the server has committed, and the client's connection is reset. */
  lostCommits?: Readonly<{ share: number; random: () => number }>
}>

/** A TCP proxy on 127.0.0.1 within this process. Its target may change, as an address that moves to another server does. */
export type ServerProxy = AsyncDisposable &
  Readonly<{
    port: number
    /** A port of 127.0.0.1, or a Unix socket; open connections to a former target are reset. */
    target: (address: number | string) => void
    /** Injects a fault in place of the one before; null heals. */
    fault: (fault: NetworkFault | null) => void
    /** Resets every open connection. */
    reset: () => void
    lostCommits: () => number
    /** Resolves when a reply to COMMIT has arrived from the server, before it goes on to the client. */
    nextCommit: () => Promise<void>
  }>

/** As PostgreSQL ends a transaction: CommandComplete with its length and tag. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1')

/**
 * Opens a proxy without a target. Faults of a network belong to one seed with all others, and the lost reply to COMMIT needs
 * to read the protocol: both are simpler in this process than with a proxy of others beside it.
 */
export async function openProxy(): Promise<ServerProxy> {
  let address: number | string | undefined
  let fault: NetworkFault = {}
  let healed = Promise.withResolvers<void>()
  let committed = Promise.withResolvers<void>()
  let lost = 0
  const clients = new Set<Socket>()

  /** Passes one chunk on, late or never; false when the connection has ended instead. */
  async function pass(chunk: Buffer, { from, to, isReply }: Direction): Promise<boolean> {
    while (fault.silent === 'both' || (fault.silent === 'replies' && isReply)) await healed.promise
    const { latencyMs = 0, bytesPerSecond, commitMs = 0, answer, lostCommits } = fault
    const isCommitted = isReply && chunk.includes(COMMITTED)
    const waitMs =
      latencyMs +
      (isCommitted ? commitMs : 0) +
      (bytesPerSecond === undefined ? 0 : (chunk.length * 1000) / bytesPerSecond)
    if (waitMs > 0) await Promise.race([delay(waitMs), healed.promise])
    if (answer !== undefined && !isReply) {
      from.end(answer)
      return false
    }
    if (isCommitted) {
      committed.resolve()
      committed = Promise.withResolvers()
      if (lostCommits !== undefined && lostCommits.random() < lostCommits.share) {
        lost += 1
        to.resetAndDestroy()
        return false
      }
    }
    if (!to.destroyed && !to.write(chunk)) await once(to, 'drain').catch(() => {})
    return !to.destroyed
  }

  async function forward(direction: Direction): Promise<void> {
    try {
      // Reading waits for writing, so that a slow side slows the other one.
      for await (const chunk of direction.from) if (!(await pass(chunk as Buffer, direction))) return
      direction.to.end()
    } catch {
      direction.to.destroy()
    }
  }

  const server = createServer((client) => {
    client.on('error', () => {})
    if (address === undefined || fault.isRefusing) {
      client.resetAndDestroy()
      return
    }
    clients.add(client)
    client.on('close', () => clients.delete(client))
    const upstream = connectFor(client, address)
    void forward({ from: client, to: upstream, isReply: false })
    void forward({ from: upstream, to: client, isReply: true })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reset = () => {
    for (const client of clients) client.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    target(next) {
      address = next
      reset()
    },
    fault(next) {
      fault = next ?? {}
      healed.resolve()
      healed = Promise.withResolvers()
    },
    reset,
    lostCommits: () => lost,
    nextCommit: () => committed.promise,
    async [Symbol.asyncDispose]() {
      healed.resolve()
      reset()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

/** A connection to the server that ends with the client's, and the other way round. */
function connectFor(client: Socket, address: number | string): Socket {
  const upstream = typeof address === 'string' ? connect(address) : connect(address, '127.0.0.1')
  upstream.on('error', () => client.resetAndDestroy()).on('close', () => client.destroy())
  client.on('close', () => upstream.destroy())
  return upstream
}

type Direction = Readonly<{ from: Socket; to: Socket; isReply: boolean }>
