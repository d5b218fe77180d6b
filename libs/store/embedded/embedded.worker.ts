import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { SYNC_SETTINGS, SyncedFiles } from './synced-files.ts'

/**
 * PGlite behind a Unix socket that speaks the Postgres protocol.
 *
 * Law: the messages of a client between two Syncs reach the backend as one unit. While a client has a transaction open,
 * no other client's message reaches it. PGlite has one backend, so a Parse of one client between another's Parse and
 * Bind would answer the wrong statement. PGlite's own socket server forwards single messages, and fails that way under
 * load (docs/decisions/0002-embedded-socket.md).
 */
const { dataDir, socketPath } = workerData as { dataDir: string; socketPath: string }

/** A client idle in an open transaction blocks all others: it is rolled back and disconnected. */
const IDLE_IN_TRANSACTION_MS = 5_000
/** Larger than any batch (8 MiB of events), and far below what wasm memory can hold twice. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024
const CONNECTIONS_MAX = 64

const SYNC = 0x53
const QUERY = 0x51
const FLUSH = 0x48
const TERMINATE = 0x58
const FUNCTION_CALL = 0x46
const SSL_REQUEST = 80877103
const GSS_REQUEST = 80877104
const CANCEL_REQUEST = 80877102

type Client = {
  readonly socket: Socket
  /** Received bytes not yet split into messages. */
  chunks: Buffer[]
  bytes: number
  started: boolean
  /** Messages since the last Sync. */
  unit: Buffer[]
  /** Complete units, queued for the backend. */
  ready: Buffer[][]
  idle?: NodeJS.Timeout
}

/** PGlite starts its backend with it. */
const FSYNC_OFF = '-F'
/** Pages and sorts of a store on one machine: 128 MB and 64 MB, as servers take, only fill the memory of WebAssembly. */
const MEMORY_SETTINGS = ['-c', 'shared_buffers=16MB', '-c', 'maintenance_work_mem=16MB']

/**
 * PGlite whose expression interpreter stays with V8's baseline compiler. It is one function of 105 KB, on which the
 * optimising compiler takes 600 MB. The first statement after the start compiles it; V8 decides then whether a function
 * counts its calls, and only those that do are optimised later.
 */
class SmallPGlite extends PGlite {
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    for (const flag of TIERING_FLAGS) setFlagsFromString(`--no-${flag}`)
    try {
      await super._initArrayTypes(options)
    } finally {
      for (const flag of TIERING_FLAGS) setFlagsFromString(`--${flag}`)
    }
  }
}
const TIERING_FLAGS = ['wasm-dynamic-tiering', 'wasm-tier-up']
// Under memory pressure V8 would discard the baseline code, and compile it again with counters.
setFlagsFromString('--no-flush-liftoff-code')

const database = new SmallPGlite({
  fs: new SyncedFiles(dataDir),
  startParams: [
    ...PGlite.defaultStartParams.filter((param) => param !== FSYNC_OFF),
    ...SYNC_SETTINGS,
    ...MEMORY_SETTINGS,
  ],
})
await database.waitReady
await database.exec('create schema if not exists catalog; set search_path = catalog_live, catalog; set timezone = UTC')

const clients = new Set<Client>()
/** The client with an open transaction, or an open unit without a Sync; only it is served. */
let owner: Client | undefined
let serving = false

const server = createServer((socket) => {
  if (clients.size >= CONNECTIONS_MAX) {
    socket.destroy()
    return
  }
  const client: Client = { socket, chunks: [], bytes: 0, started: false, unit: [], ready: [] }
  clients.add(client)
  socket.on('data', (chunk: Buffer) => {
    client.chunks.push(chunk)
    client.bytes += chunk.length
    if (client.bytes > MESSAGE_BYTES_MAX) {
      socket.destroy()
      return
    }
    cut(client)
    void serve()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clients.delete(client)
    client.ready = []
    clearTimeout(client.idle)
    void serve()
  })
})

/** Splits received bytes into complete messages and groups them into units. */
function cut(client: Client): void {
  for (;;) {
    const headerBytes = client.started ? 5 : 8
    if (client.bytes < headerBytes) return
    const header = peek(client, headerBytes)
    const messageBytes = client.started ? header.readInt32BE(1) + 1 : header.readInt32BE(0)
    if (messageBytes < headerBytes || messageBytes > MESSAGE_BYTES_MAX) {
      client.socket.destroy()
      return
    }
    if (client.bytes < messageBytes) return
    const message = take(client, messageBytes)
    if (!client.started) {
      const code = message.readInt32BE(4)
      if (code === SSL_REQUEST || code === GSS_REQUEST) client.socket.write('N')
      else if (code === CANCEL_REQUEST) client.socket.destroy()
      else {
        client.started = true
        client.ready.push([message])
      }
      continue
    }
    const kind = message[0]
    if (kind === TERMINATE) {
      client.socket.end()
      return
    }
    client.unit.push(message)
    if (kind === SYNC || kind === QUERY || kind === FLUSH || kind === FUNCTION_CALL) {
      client.ready.push(client.unit)
      client.unit = []
    }
  }
}

function peek(client: Client, bytes: number): Buffer {
  const first = client.chunks[0] as Buffer
  if (first.length >= bytes) return first
  client.chunks = [Buffer.concat(client.chunks)]
  return client.chunks[0] as Buffer
}

function take(client: Client, bytes: number): Buffer {
  // Join chunks once per message, not once per chunk: a message of 20 MB arrives in 300 chunks.
  const all = client.chunks.length === 1 ? (client.chunks[0] as Buffer) : Buffer.concat(client.chunks)
  client.chunks = all.length > bytes ? [all.subarray(bytes)] : []
  client.bytes -= bytes
  return all.subarray(0, bytes)
}

/** Runs queued units one after the other, round-robin over the clients; only the owner's while there is an owner. */
async function serve(): Promise<void> {
  if (serving) return
  serving = true
  try {
    for (;;) {
      if (owner !== undefined && !clients.has(owner)) await abandon()
      const client = owner ?? [...clients].find(({ ready }) => ready.length > 0)
      const unit = client?.ready.shift()
      if (client === undefined || unit === undefined) return
      // Moves to the back of the queue, so that a busy client does not starve the others.
      clients.delete(client)
      clients.add(client)
      clearTimeout(client.idle)
      for (const message of unit) {
        await database.execProtocolRawStream(message, {
          onRawData: (answer) => {
            if (client.socket.writable) client.socket.write(Buffer.from(answer))
          },
        })
      }
      const closed = unit.at(-1)?.[0] !== FLUSH
      owner = database.isInTransaction() || !closed ? client : undefined
      if (client.socket.destroyed) clients.delete(client)
      else if (owner === client) client.idle = setTimeout(() => client.socket.destroy(), IDLE_IN_TRANSACTION_MS)
    }
  } catch (error) {
    // The backend itself failed, so its answers cannot be trusted. The worker ends, and the owner reports it.
    setImmediate(() => {
      throw error
    })
  } finally {
    serving = false
  }
}

/** The owner disconnected: roll back its open transaction before serving others. */
async function abandon(): Promise<void> {
  owner = undefined
  await database.exec('rollback')
}

server.listen(socketPath, () => {
  chmodSync(socketPath, 0o600)
  parentPort?.postMessage('listening')
})

parentPort?.on('message', async ({ stop: drainTimeoutMs }: { stop: number }) => {
  server.close()
  const deadline = performance.now() + drainTimeoutMs
  while ((owner !== undefined || serving) && performance.now() < deadline) await delay(5)
  for (const { socket } of clients) socket.destroy()
  await database.close()
  process.exit()
})
