import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MirrorOptions, openMirror } from '@catalog/mirror/mirror.ts'
import { openModelOrigin } from './mirror-model.ts'
import { serveModel } from './mirror-server.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>
export type StageOptions = Partial<Parameters<typeof openModelOrigin>[0]> & {
  /** Whether each night moves items: one leaves ES, and one goes or is merged. */
  moves?: boolean
}

/** Items that a stage publishes each night. */
export const STAGE_ITEMS = 8

/** An origin in memory behind a server, and a folder for its copies; the stack holds all of it. */
export async function openStage({ moves = false, ...options }: StageOptions = {}) {
  const stack = new AsyncDisposableStack()
  const origin = openModelOrigin({ pageSize: 5, ...options })
  const server = stack.use(await serveModel(origin))
  const root = stack.adopt(mkdtempDisposableSync(join(tmpdir(), 'mirror-')), (made) => made.remove()).path
  const copies = join(root, 'copies')
  let night = 0
  return {
    stack,
    origin,
    server,
    root,
    copies,
    /** Publishes every item each night, at another price. */
    publishNights(nights: number): void {
      for (const last = night + nights; night < last; ) {
        night += 1
        for (let item = 0; item < STAGE_ITEMS; item++) {
          const regions = !moves ? ['ES'] : item === night % STAGE_ITEMS ? ['EU'] : ['ES', 'EU']
          origin.publish({ item, cents: 1000 + night, regions, name: `Ladrillo ${item} <"&'> \u{1f9f1}` })
        }
        if (moves) origin.remove({ item: (night + 3) % STAGE_ITEMS, into: night % 2 === 0 ? null : 7 })
        origin.mark()
      }
    },
    /** A mirror among the copies, whose retries do not wait. */
    mirrorOf: (scope = 'items', more: Partial<MirrorOptions> = {}) =>
      stack.use(openMirror({ url: server.url, scope, into: copies, wait: async () => {}, ...more })),
    /** The origin's present state of a scope. */
    theirs: (scope = 'items') => origin.stateAt({ gen: origin.gen(), scope, seq: origin.head(scope) }),
  }
}

/** The states of a mirror by their ids. */
export const rowsOf = (mirror: Pick<ReturnType<typeof openMirror>, 'items'>) =>
  new Map([...mirror.items()].map(({ id, state }) => [id, state]))
