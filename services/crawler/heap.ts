import { setFlagsFromString } from 'node:v8'

/**
 * Keeps this process's heap near what it needs, from now on. A crawl makes short-lived strings by the gigabyte, and V8,
 * which takes them for a program that grows, lets garbage of some 100 MB gather beside 25 MB that are in use: with a young
 * generation that does not grow and an old one that is swept at half as much again, a feed of 1 GB takes 240 MB in all
 * instead of 340, and a tenth more time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=50')
}
