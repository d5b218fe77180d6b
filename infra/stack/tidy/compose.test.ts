import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type Service = {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  pids_limit?: number
  mem_limit?: string
  cpus?: number
  logging?: object
  healthcheck?: object
  ports?: string[]
  environment?: Record<string, unknown>
  tmpfs?: string[]
  volumes?: string[]
}

const text = readFileSync(resolve(import.meta.dirname, '../../../docker-compose.yml'), 'utf8')
const { services, secrets } = parse(text, { merge: true }) as {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
}
/** Their start scripts write beside their programs. */
const WRITING = ['kafka', 'elasticsearch']

test.each(Object.entries(services))(
  'the container of %s has no right, room or way out that it does not need',
  (name, service) => {
    expect(service.cap_drop).toEqual(['ALL'])
    expect(service.security_opt).toEqual(['no-new-privileges:true'])
    expect(service.read_only).toBe(!WRITING.includes(name))
    for (const limit of [service.pids_limit, service.mem_limit, service.cpus, service.logging, service.healthcheck]) {
      expect(limit).toBeDefined()
    }
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    // A place is a volume or memory, not both.
    const places = [
      ...(service.tmpfs ?? []),
      ...(service.volumes ?? []).map((volume) => volume.split(':')[1] as string),
    ]
    const paths = places.map((place) => place.split(':')[0])
    expect(paths).toEqual([...new Set(paths)])
  },
)

test('images have a version, and no secret stands in the file', () => {
  const images = Object.values(services).map(({ image }) => image)
  expect(images.filter((image) => image !== 'construction-cost-catalog' && !/:\d+(\.\d+)*$/.test(image))).toEqual([])
  const variables = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment))
  const secret = variables.filter(
    ([name, value]) => /PASSWORD|SECRET|_KEY$/.test(name) && !name.endsWith('_FILE') && value !== null,
  )
  expect([secret, text.match(/\/\/[^/@\s]+:[^/@\s]+@/)]).toEqual([[], null])
  expect(secrets).toEqual({ postgres_password: { file: './secrets/postgres_password' } })
})
