import { createHmac } from 'node:crypto'
import { readAddressSecret } from '@catalog/store/accounts/accounts.ts'
import type { Queryable } from '@catalog/store/db.ts'
import type { Bucket } from './counter.ts'

/** 132 bits. */
const HMAC_CHARS = 22

/** Names buckets as the database knows them: it sees addresses and e-mails only as an HMAC. */
export function openBucketNames(store: Queryable): (bucket: Pick<Bucket, 'owner' | 'counts'>) => Promise<string> {
  let secret: Promise<string> | undefined

  async function hashed(text: string): Promise<string> {
    secret ??= readAddressSecret(store).catch((error: unknown) => {
      secret = undefined
      throw error
    })
    return createHmac('sha256', await secret)
      .update(text)
      .digest('base64url')
      .slice(0, HMAC_CHARS)
  }

  return async (bucket) => {
    const { owner } = bucket
    const { kind, id } = owner
    owner.storedName ??= kind === 'ip' || kind === 'email' ? await hashed(`${kind} ${id}`) : id
    return bucketName(bucket)
  }
}

/** Synchronous, for an owner that has its stored name. */
export const bucketName = ({ counts, owner }: Pick<Bucket, 'owner' | 'counts'>) =>
  `${counts} ${owner.kind} ${owner.storedName}`
