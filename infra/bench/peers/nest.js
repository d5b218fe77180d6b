import 'reflect-metadata'
import { Controller, Get, Inject, Module, Query } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import pg from 'pg'
import { HOST, POOL, pageOf, serving } from './serving.js'

/** NestJS on its faster platform, and pg. Node does not run decorators, so this calls them as functions. */
class ItemsController {
  #pool

  constructor(pool) {
    this.#pool = pool
  }

  async list({ after = '', limit }) {
    const { rows } = await this.#pool.query({
      name: 'page',
      text: `select item_json from items where state = 'active' and item_id > $1 order by item_id limit $2`,
      values: [after, Number(limit) + 1],
    })
    return pageOf(rows, Number(limit))
  }
}
const { prototype } = ItemsController
Controller('items')(ItemsController)
Inject('pool')(ItemsController, undefined, 0)
Get()(prototype, 'list', Object.getOwnPropertyDescriptor(prototype, 'list'))
Query()(prototype, 'list', 0)

class AppModule {}
Module({
  controllers: [ItemsController],
  providers: [{ provide: 'pool', useValue: new pg.Pool(POOL) }],
})(AppModule)

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false })
await app.listen(0, HOST)
serving(app.getHttpServer().address().port)
