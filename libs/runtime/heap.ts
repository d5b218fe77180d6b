import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the heap of this process small from now on. Crawls and runs of the aggregator allocate gigabytes of short-lived
 * objects, and V8 would let several times the memory in use gather as garbage. With a fixed young generation and earlier
 * major collections, a feed of 1 GB takes 240 MB instead of 340, and a tenth more time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
