import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { addressOf, type Parameters, type V1 } from './context.ts'
import { ApiError, type ErrorCode } from './errors.ts'

/**
 * Asks a reading route of REST from within the process, for a caller that is admitted and counted already. Law: the answer
 * is that of the route, byte by byte, because it is the route that gives it. Throws the ApiError that the route answers with.
 */
export type Ask = (question: Question) => Promise<string>

export type Question = Readonly<{
  /** Below /v1; what stands in it is encoded. */
  path: string
  query?: Parameters
  type?: 'application/json' | 'text/markdown'
  /** Of the request for whose sake it is asked, which the log names. */
  requestId: string
}>

/** The routes that `register` adds, without a socket and without limits. */
export function openInside({
  register,
  failureOf,
}: {
  register: (inside: V1) => void
  /** What a failure is answered with. */
  failureOf: (error: FastifyError, request: FastifyRequest) => ApiError
}): { ask: Ask; close: () => Promise<void> } {
  const answer = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const failure = failureOf(error, request)
    return reply.code(failure.status).type('application/json').send(JSON.stringify(failure.body))
  }
  const app = Fastify({
    logger: false,
    frameworkErrors: answer,
    requestIdHeader: false,
    // Nobody outside can reach it, so the header is ours.
    genReqId: ({ headers }) => String(headers['x-request-id']),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('answered', null)
  app.decorateRequest('charge', () => COUNTED)
  app.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply))
  register(app as unknown as V1)
  return {
    async ask({ path, query = {}, type = 'application/json', requestId }) {
      const url = addressOf(path, query)
      const headers = { accept: type, 'x-request-id': requestId }
      const { statusCode, body } = await (app as unknown as FastifyInstance).inject({ url, headers })
      if (statusCode === 200) return body
      const { error, details, retry_after_seconds } = JSON.parse(body) as ApiError['body']
      const more = retry_after_seconds === undefined ? {} : { retryAfterSeconds: retry_after_seconds }
      throw new ApiError(error as ErrorCode, details, more)
    },
    close: () => app.close(),
  }
}

const COUNTED = Promise.resolve()
