import { Kafka, logLevel } from 'kafkajs'
import pg from 'pg'

// A consumer as kafkajs is by default: it commits by itself, and nothing compares offsets or fences a former owner. It shows
// what the guards of our log and projector are for, and is no part of the product: unguarded-worker.ts DATABASE_URL BROKERS TOPIC

const [databaseUrl = '', brokers = '', topic = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl })
// A pool tells of connections that end while idle; the next query opens another one.
pool.on('error', () => {})

const consumer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).consumer({
  groupId: 'unguarded',
})
// As a service manager does: a consumer that gives up ends its process, which is started again.
consumer.on('consumer.crash', ({ payload }) => {
  if (!payload.restart) process.exit(1)
})
consumer.on('consumer.group_join', () => process.stdout.write('joined\n'))
await consumer.connect()
await consumer.subscribe({ topic })
await consumer.run({
  async eachBatch({ batch }) {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into public.applied select e -> 'source' ->> 'name', e ->> 'name', e ->> 'observed_at', (e -> 'price' ->> 'cents')::int
         from unnest($1::text[]) as value, lateral (select value::json as e) as event`,
        [batch.messages.map(({ value }) => String(value))],
      )
      await client.query('commit')
    } finally {
      // One whose transaction failed must not serve another.
      client.release(true)
    }
  },
})
