import { describe, expect, test } from 'vitest'
import { openFollower } from './follower.ts'

/** A log of numbers; each catch-up takes a turn and applies what was there at its call. */
function logged({ failures = 0 } = {}) {
  const log = { appended: 0, applied: 0, running: 0, atOnce: 0 }
  const follower = openFollower(async () => {
    const { appended } = log
    log.atOnce = Math.max(log.atOnce, ++log.running)
    await new Promise(setImmediate)
    log.running--
    if (failures-- > 0) throw new Error('the store is gone')
    log.applied = appended
  })
  return { log, follower }
}

describe('a follower', () => {
  test('applies what was appended while an earlier catch-up ran, one at a time', async () => {
    const { log, follower } = logged()
    for (let n = 0; n < 10; n++) {
      log.appended++
      follower.follow()
    }
    await follower.settled()
    expect(log).toMatchObject({ applied: 10, atOnce: 1 })
  })

  test('is done with its catch-up when the work that it follows fails', async () => {
    const { log, follower } = logged()
    const work = async () => {
      await using tables = follower
      log.appended++
      tables.follow()
      throw new Error('killed')
    }
    await expect(work()).rejects.toThrow('killed')
    expect(log).toMatchObject({ applied: 1, running: 0 })
  })

  test('throws at the end what a catch-up beside the work threw', async () => {
    const { log, follower } = logged({ failures: 2 })
    log.appended++
    follower.follow()
    await expect(follower.settled()).rejects.toThrow('the store is gone')
  })
})
