import { affectsRow, type Queryable } from '@catalog/store/db.ts'
import { seal, unseal } from '@catalog/store/sealing.ts'

/**
 * Second factors of people, and those who owe the code of theirs. Instants are arguments, ISO 8601 with Z: the caller owns
 * the clock.
 */

/** Where the secret lies, for {@link seal}. */
export const factorPlace = (userId: string) => `second_factors ${userId}`

/** `secret` is Base32. `confirmedAt` is null until a first code proved the authenticator. */
export type SecondFactor = Readonly<{ secret: string; begunAt: string; confirmedAt: string | null; codesLeft: number }>

export async function findSecondFactor(db: Queryable, userId: string): Promise<SecondFactor | undefined> {
  const [row] = await db.query<{ secret: string; begunAt: string; confirmedAt: string | null; codesLeft: number }>(
    `select secret, begun_at as "begunAt", confirmed_at as "confirmedAt",
            (select count(*)::int from recovery_codes c where c.user_id = f.user_id) as "codesLeft"
       from second_factors f where user_id = $1`,
    [userId],
  )
  return row && { ...row, secret: unseal(db.sealing, row.secret, factorPlace(userId)) }
}

/** Whether the person owes a code at sign-in. */
export async function owesCode(db: Queryable, userId: string): Promise<boolean> {
  return affectsRow(db, `select user_id from second_factors where user_id = $1 and confirmed_at is not null`, [userId])
}

/** Begins again where nothing is confirmed yet. Returns false, and changes nothing, where a factor is on. */
export async function beginSecondFactor(
  db: Queryable,
  { userId, secret, at }: { userId: string; secret: string; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `insert into second_factors (user_id, secret, begun_at) values ($1, $2, $3)
     on conflict (user_id) do update set secret = excluded.secret, begun_at = excluded.begun_at, last_step = 0
      where second_factors.confirmed_at is null
     returning user_id`,
    [userId, seal(db.sealing, secret, factorPlace(userId)), at],
  )
}

/** Turns the begun factor on. Returns false where another request did. */
export async function confirmSecondFactor(
  db: Queryable,
  { userId, at }: { userId: string; at: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `update second_factors set confirmed_at = $2 where user_id = $1 and confirmed_at is null returning user_id`,
    [userId, at],
  )
}

/** Turns the factor off, with its recovery codes. Returns false where none was on. */
export async function deleteSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  return affectsRow(
    db,
    `delete from second_factors where user_id = $1 and confirmed_at is not null returning user_id`,
    [userId],
  )
}

/** Marks the code of a time step, and all before it, as used. Returns false where it was: of concurrent callers one gets it. */
export async function useTimeStep(db: Queryable, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  return affectsRow(
    db,
    `update second_factors set last_step = $2 where user_id = $1 and last_step < $2 returning user_id`,
    [userId, step],
  )
}

export async function replaceRecoveryCodes(
  db: Queryable,
  { userId, shas }: { userId: string; shas: readonly Buffer[] },
): Promise<void> {
  await db.query(`delete from recovery_codes where user_id = $1`, [userId])
  await db.query(
    `insert into recovery_codes (user_id, code_sha) select $1, decode(sha, 'hex') from unnest($2::text[]) as s (sha)`,
    [userId, shas.map((sha) => sha.toString('hex'))],
  )
}

/** Returns false for an unknown code, and for one that was used: of concurrent callers one gets it. */
export async function useRecoveryCode(
  db: Queryable,
  { userId, codeSha }: { userId: string; codeSha: Buffer },
): Promise<boolean> {
  return affectsRow(db, `delete from recovery_codes where user_id = $1 and code_sha = $2 returning user_id`, [
    userId,
    codeSha,
  ])
}

// Who owes the code ---------------------------------------------------------------------------------------------------

export async function insertPendingSignIn(
  db: Queryable,
  pending: Readonly<{ tokenSha: Buffer; userId: string; returnPath: string; expiresAt: string }>,
): Promise<void> {
  const { tokenSha, userId, returnPath, expiresAt } = pending
  await db.query(`insert into pending_sign_ins (token_sha, user_id, return_path, expires_at) values ($1, $2, $3, $4)`, [
    tokenSha,
    userId,
    returnPath,
    expiresAt,
  ])
}

export type PendingSignIn = Readonly<{ userId: string; email: string; returnPath: string }>

/** Undefined when it has expired, was ended or does not exist. */
export async function findPendingSignIn(
  db: Queryable,
  { tokenSha, at }: { tokenSha: Buffer; at: string },
): Promise<PendingSignIn | undefined> {
  const [row] = await db.query<PendingSignIn>(
    `select user_id as "userId", email, return_path as "returnPath" from pending_sign_ins join users using (user_id)
      where token_sha = $1 and expires_at > $2`,
    [tokenSha, at],
  )
  return row
}

/** Returns false where it ended meanwhile: the password was changed, or another request had it. */
export async function endPendingSignIn(db: Queryable, tokenSha: Buffer): Promise<boolean> {
  return affectsRow(db, `delete from pending_sign_ins where token_sha = $1 returning user_id`, [tokenSha])
}

/** Ends all of a person, because the password has changed. */
export async function endPendingSignIns(db: Queryable, userId: string): Promise<void> {
  await db.query(`delete from pending_sign_ins where user_id = $1`, [userId])
}
