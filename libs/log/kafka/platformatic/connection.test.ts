import {
  AuthenticationError,
  MultipleErrors,
  NetworkError,
  ProtocolError,
  ResponseError,
  UserError,
} from '@platformatic/kafka'
import { expect, test } from 'vitest'
import { explained, isFinal, isOutage, says } from './connection.ts'

const refused = new NetworkError('Connection to a:1 failed.', { cause: new Error('connect ECONNREFUSED') })
const broken = new NetworkError('Connection closed')
const protocol = (id: string) => new ProtocolError(id)

test.each([
  ['a broker that cannot be reached', new MultipleErrors('Cannot connect to any broker.', [refused]), false],
  ['a connection that broke', broken, false],
  ['a broker that does not lead any more', protocol('NOT_LEADER_OR_FOLLOWER'), false],
  ['too few replicas in sync', protocol('NOT_ENOUGH_REPLICAS'), false],
  ['a record that is too large', protocol('MESSAGE_TOO_LARGE'), true],
  [
    'a wrong password',
    new NetworkError('failed', { cause: new AuthenticationError('SASL authentication failed.') }),
    true,
  ],
  [
    'a connection that broke while it said who we are',
    new AuthenticationError('No mechanism', { cause: broken }),
    false,
  ],
  [
    'a certificate of an unknown authority',
    new NetworkError('failed', {
      cause: Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    }),
    true,
  ],
])('%s is final or an outage', (_name, error, final) => {
  expect(isFinal(error)).toBe(final)
  expect(isOutage(error)).toBe(!final)
})

test('a topic that a broker does not know yet is asked for again, and is no outage', () => {
  const unknown = new UserError('Unknown topic catalog.decisions.')
  expect(isFinal(unknown)).toBe(false)
  expect(isOutage(unknown)).toBe(false)
  expect(isFinal(new UserError('The producer is closed.'))).toBe(true)
})

test('an error says what its innermost cause says, and which error of the protocol is in it', () => {
  const response = new ResponseError(1, 17, { '/responses/0/partitions/0': [1, null] }, {})
  expect(says(response, 'OFFSET_OUT_OF_RANGE')).toBe(true)
  expect(says(response, 'NOT_LEADER_OR_FOLLOWER')).toBe(false)
  expect(explained(new MultipleErrors('Cannot connect to any broker.', [refused])).message).toBe('connect ECONNREFUSED')
})
