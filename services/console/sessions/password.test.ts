import { expect, test } from 'vitest'
import { openPasswords, PASSWORD_COST, passwordProblem } from './password.ts'

const CHEAP = { N: 2, r: 1, p: 1 }
const EMAIL = 'builder@example.org'

test.each([
  ['eleven char', 'at least 12'],
  ['', 'at least 12'],
  ['x'.repeat(201), 'at most 200'],
  ['aaaaaaaaaaaaaaaa', 'repeated'],
  ['Builder@Example.org', 'not your e-mail'],
  // NFKC turns 6 letters into 12; the stored form counts.
  ['ﬀ'.repeat(5), 'at least 12'],
  // Of lists from breaches, on keyboards, as sequences, with the usual ends, and of the account and the site themselves.
  ['password1234', 'first'],
  ['P@ssw0rd2026!', 'first'],
  ['qwertyuiop12', 'first'],
  ['1q2w3e4r5t6y', 'first'],
  ['123456789012', 'first'],
  ['abcabcabcabc', 'first'],
  ['iloveyou1234', 'first'],
  ['builder@2026', 'first'],
  ['Construction1', 'first'],
  ['password'.repeat(25), 'first'],
])('the password %j is refused', async (password, why) => {
  expect(await passwordProblem(password, EMAIL)).toContain(why)
})

test.each([
  ['twelve chars'],
  [' blanks count, at both ends '],
  ['gYd8#kqLw2pz'],
  [`${'wet brick, '.repeat(18)}.`],
  ['ladrillo¡ñandú€😀'],
])('the password %j is taken', async (password) => {
  expect(await passwordProblem(password, EMAIL)).toBeUndefined()
})

test('a password is stored as a salted scrypt hash that only it matches', async () => {
  const { hash, matches } = openPasswords(CHEAP)
  const stored = await hash('three green ladders')
  expect(stored).toMatch(/^scrypt\$2\$1\$1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await hash('three green ladders')).not.toBe(stored)
  expect(await matches('three green ladders', stored)).toBe(true)
  expect(await matches('three green ladder', stored)).toBe(false)
  expect(await matches('three green ladders ', stored)).toBe(false)
})

test('a hash of another cost still matches', async () => {
  const stored = await openPasswords({ N: 4, r: 2, p: 2 }).hash('three green ladders')
  expect(await openPasswords(CHEAP).matches('three green ladders', stored)).toBe(true)
})

test('the same letters in another Unicode form match', async () => {
  const { hash, matches } = openPasswords(CHEAP)
  expect(await matches('ñandú ñandú'.normalize('NFD'), await hash('ñandú ñandú'.normalize('NFC')))).toBe(true)
})

test('an unknown account costs the same work and never matches', async () => {
  const { hash, matches } = openPasswords({ N: 2 ** 12, r: 8, p: 3 })
  const stored = await hash('three green ladders')
  const measured = async (work: () => Promise<boolean>) => {
    const began = process.hrtime.bigint()
    expect(await work()).toBe(false)
    return Number(process.hrtime.bigint() - began)
  }
  const [wrong, unknown]: [number[], number[]] = [[], []]
  for (let i = 0; i < 9; i++) {
    wrong.push(await measured(() => matches('wrong', stored)))
    unknown.push(await measured(() => matches('wrong', undefined)))
  }
  const middle = (times: number[]) => times.sort((a, b) => a - b)[4] as number
  // Without equal work it would take a hundredth of the time.
  expect(middle(unknown)).toBeGreaterThan(middle(wrong) / 3)
})

test('two hashes run at once, twenty wait, and the next is refused with a retry time', async () => {
  const { hash } = openPasswords({ N: 2 ** 10, r: 8, p: 1 })
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, (_, i) => hash(`three green ladders ${i}`)))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(3)
  expect(refused[0]).toMatchObject({ status: 503, retryAfterSeconds: 5 })
  // Their slots are free again.
  expect(await hash('three green ladders')).toMatch(/^scrypt/)
})

test('known people wait in a queue of their own, which goes first', async () => {
  const { hash } = openPasswords({ N: 2 ** 10, r: 8, p: 1 })
  const done: string[] = []
  const strangers = Array.from({ length: 22 }, () => hash('three green ladders').then(() => done.push('stranger')))
  const known = Array.from({ length: 20 }, () =>
    hash('three green ladders', { isKnown: true }).then(() => done.push('known')),
  )
  await expect(hash('three green ladders', { isKnown: true })).rejects.toMatchObject({ status: 503 })
  await Promise.all([...strangers, ...known])
  // Two strangers were being hashed already, and of two hashes that run at once either ends first.
  expect(done.lastIndexOf('known')).toBeLessThan(30)
})

test('the default cost is the recommended one and fits its memory', async () => {
  expect(PASSWORD_COST).toEqual({ N: 32_768, r: 8, p: 3 })
  const { hash, matches } = openPasswords()
  expect(await matches('three green ladders', await hash('three green ladders'))).toBe(true)
})

test('a malformed hash is an error that omits its text', async () => {
  await expect(openPasswords(CHEAP).matches('x', 'md5$secret')).rejects.toThrow(/^a stored password: expected scrypt/)
})
