import Fastify from 'fastify'
import { HOST, serving } from './serving.js'

/** The time of fastify for an answer that needs nothing. */
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
await app.listen({ host: HOST, port: 0 })
serving(app.server.address().port)
