import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A new key and self-signed certificate for an IPv4 address, both as PEM. */
export function selfSigned(address: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('a test')))))
  const lasts = sequence(...['260101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time))))
  const ip = Buffer.from(address.split('.').map(Number))
  const extensions = [
    sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, sequence(der(0x87, ip)))),
    // A trusted certificate authority for itself.
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
  ]
  const unsigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    sequence(ECDSA_SHA256),
    name,
    lasts,
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', unsigned, privateKey))
  const certificate = sequence(unsigned, sequence(ECDSA_SHA256), signature)
  return { key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), cert: pem('CERTIFICATE', certificate) }
}

/** A certificate that signs itself, so that its file is also that of its authority; and its private key. */
export type Certificate = Readonly<{ certFile: string; keyFile: string }>

/** Writes those of 127.0.0.1 into the folder, the key for its owner alone. */
export function makeCertificate(folder: string): Certificate {
  const { key, cert } = selfSigned('127.0.0.1')
  const [certFile, keyFile] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key, { mode: 0o600 })
  return { certFile, keyFile }
}

// X.509 (RFC 5280) in DER: tag, length, content.
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const lengths = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...lengths]), content])
}
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const COMMON_NAME = oid('550403')
const SUBJECT_ALTERNATIVE_NAME = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')
const ECDSA_SHA256 = oid('2a8648ce3d040302')
const TRUE = der(0x01, Buffer.from([0xff]))

const pem = (of: string, bytes: Buffer) =>
  `-----BEGIN ${of}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${of}-----\n`
