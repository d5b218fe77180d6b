import { DAY_MS, instant } from '@catalog/core/time.ts'
import {
  consumePayload,
  deletePayload,
  type Payload,
  readPayload,
  readPayloadByUid,
  revokeGrant,
  writePayload,
} from '@catalog/store/accounts/oauth.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Adapter, type AdapterFactory, errors } from 'oidc-provider'

/** A registered client without any consent is deleted after this. */
const UNUSED_CLIENT_MS = DAY_MS

/** The library's storage adapter on the store, shared by all processes. */
export function storedModels({ store, now }: { store: Store; now: () => Date }): AdapterFactory {
  const at = () => instant(now())
  return (model): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const lastsMs = expiresIn ? expiresIn * 1000 : model === 'Client' ? UNUSED_CLIENT_MS : undefined
      const expiresAt = lastsMs === undefined ? null : instant(new Date(now().getTime() + lastsMs))
      await writePayload(store, { model, id, payload: payload as Payload, expiresAt })
    },
    find: (id) => readPayload(store, { model, id, at: at() }),
    findByUid: (uid) => readPayloadByUid(store, { model, uid, at: at() }),
    // The server offers no device flow.
    findByUserCode: async () => undefined,
    async consume(id) {
      if (await consumePayload(store, { model, id, at: at() })) return
      // Two requests with one code or refresh token: one of them is stolen.
      const payload = await readPayload(store, { model, id, at: at() })
      if (payload?.grantId !== undefined) await revokeGrant(store, { grantId: payload.grantId, at: at() })
      throw new errors.InvalidGrant('it was used already')
    },
    destroy: (id) => deletePayload(store, { model, id }),
    revokeByGrantId: (grantId) => revokeGrant(store, { grantId, at: at() }),
  })
}
