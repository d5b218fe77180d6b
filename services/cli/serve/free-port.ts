import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A free port: the wanted one, or any for 0. Every link must name it before the API is built. */
export async function freePort(host: string, wanted = 0): Promise<number> {
  const probe = createServer().listen(wanted, host)
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new Error(
        `port ${wanted} is in use; stop the program that listens there, or choose another port with --port`,
      )
    throw error
  })
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** The address that readers use, without a path. */
export const publicBaseUrlOf = (
  { PUBLIC_BASE_URL: own }: { PUBLIC_BASE_URL?: string | undefined },
  { host, port }: { host: string; port: number },
): string => own ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
