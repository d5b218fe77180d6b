import { Worker } from 'node:worker_threads'

/** Where the catalog will answer. */
export type LoadingPlace = Readonly<{ host: string; port: number; publicBaseUrl: string }>

/** Answers readers while a start fills the catalog: people see how far it is, programs get a 503 with Retry-After. */
export interface Loading extends AsyncDisposable {
  /** Tells readers how much of the sample is loaded, from 0 to 1. */
  readonly to: (share: number) => void
}

/** Listens until it is disposed, which frees the port for the API. */
export async function openLoading(place: LoadingPlace): Promise<Loading> {
  const worker = new Worker(new URL('./loading.worker.ts', import.meta.url), { workerData: place })
  // A start goes on without the page.
  worker.on('error', () => {})
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  await Promise.race([new Promise((resolve) => worker.once('message', resolve)), ended])
  let shown = 0
  return {
    to(share) {
      const percent = Math.floor(share * 100)
      if (percent !== shown) worker.postMessage(percent)
      shown = percent
    },
    async [Symbol.asyncDispose]() {
      worker.postMessage('close')
      await ended
    },
  }
}
