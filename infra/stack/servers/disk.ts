import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A small disk whose power can fail: an ext4 file system in an image file. The kernel holds written bytes back until a
 * program syncs them, or until it writes them by itself after some seconds. So a copy of the image is the disk as it
 * would come back.
 */
export type Disk = Disposable &
  Readonly<{
    /** The root folder of the mounted file system. */
    path: string
    /** The disk as it comes back if the power fails now; this one goes on. */
    afterPowerLoss: () => Disposable & Readonly<{ path: string }>
  }>

/** Why this machine can mount no disk, in one line; null where it can. */
export function diskAvailable(): string | null {
  try {
    openDisk(MEGABYTES_MIN)[Symbol.dispose]()
    return null
  } catch (error) {
    return `a disk image needs root, mkfs.ext4 and a loop device: ${(error as Error).message.split('\n')[0]}`
  }
}
/** mkfs.ext4 makes a journal from here on. */
const MEGABYTES_MIN = 16

/** Makes and mounts a disk. Throws where the machine permits no mounts. */
export function openDisk(megabytes: number): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-disk-'))
  const image = join(folder, 'image')
  const mounted: string[] = []
  const close = () => {
    for (const path of mounted) run('umount', '--lazy', path)
    rmSync(folder, { recursive: true })
  }
  const mount = (file: string, name: string) => {
    const path = join(folder, name)
    mkdirSync(path)
    run('mount', '-o', 'loop', file, path)
    mounted.push(path)
    return path
  }
  try {
    writeFileSync(image, '')
    truncateSync(image, megabytes * 1024 ** 2)
    run('mkfs.ext4', '-q', image)
    const path = mount(image, 'disk')
    let losses = 0
    return {
      path,
      afterPowerLoss() {
        const name = `after-${++losses}`
        const copy = `${image}-${name}`
        run('cp', '--sparse=always', image, copy)
        const after = mount(copy, name)
        return {
          path: after,
          [Symbol.dispose]() {
            mounted.splice(mounted.indexOf(after), 1)
            run('umount', '--lazy', after)
            rmSync(copy)
          },
        }
      },
      [Symbol.dispose]: close,
    }
  } catch (error) {
    close()
    throw error
  }
}

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
