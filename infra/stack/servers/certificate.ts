import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate for 127.0.0.1 that signs itself, so that its file is also that of its authority; and its private key. */
export type Certificate = Readonly<{ certFile: string; keyFile: string }>

/** Writes both as PEM into the folder, by openssl. */
export function makeCertificate(folder: string): Certificate {
  const [certFile, keyFile] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'pipe',
  })
  chmodSync(keyFile, 0o600)
  return { certFile, keyFile }
}
