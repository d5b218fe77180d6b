import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

/**
 * Fixture tools that request input from their caller before they answer, as revision 2026-07-28 defines. The catalog
 * has none.
 */

/** The sealed state of a tool between request and answer, which the caller keeps. */
export const STATES = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })

type ToolRequest = ServerContext['mcpReq']
/** Requests input until it is given, then answers the tool's text. */
type ToolStep = (request: ToolRequest) => InputRequests | string
/** The same by the number of the round, which the sealed state holds. */
type RoundStep = (request: ToolRequest, round: number) => InputRequests | string

const elicit = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
const sample = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 100 })
const acceptedAnswer = ({ inputResponses }: ToolRequest, key: string) => acceptedContent(inputResponses, key)

const clientCapabilities = ({ envelope }: ToolRequest): ClientCapabilities =>
  Object(envelope)['io.modelcontextprotocol/clientCapabilities'] ?? {}

const NAME = { user_name: elicit('What is your name?', 'name') }
const GREETING = { greeting: sample('Generate a greeting') }
const ROOTS = { client_roots: inputRequired.listRoots() }
const CONFIRM = { confirm: elicit('Please confirm', 'ok') }

const STEPS: Readonly<Record<string, ToolStep>> = {
  test_input_required_result_elicitation: (request) => {
    const name = acceptedAnswer(request, 'user_name')?.name
    return typeof name === 'string' ? `Hello, ${name}!` : NAME
  },
  test_input_required_result_sampling: ({ inputResponses }) =>
    inputResponses?.capital_question === undefined
      ? { capital_question: sample('What is the capital of France?') }
      : JSON.stringify(inputResponses.capital_question),
  test_input_required_result_list_roots: ({ inputResponses }) =>
    inputResponses?.client_roots === undefined ? ROOTS : JSON.stringify(inputResponses.client_roots),
  test_missing_capability: ({ inputResponses }) =>
    inputResponses?.llm_answer === undefined ? { llm_answer: sample('Say pong') } : 'answered',
  test_input_required_result_capabilities: (request) => {
    if (request.inputResponses !== undefined) return 'answered'
    const { elicitation, sampling, roots } = clientCapabilities(request)
    return { ...(elicitation && NAME), ...(sampling && GREETING), ...(roots && ROOTS) }
  },
}

const ROUNDS: Readonly<Record<string, RoundStep>> = {
  test_input_required_result_request_state: (request, round) =>
    round > 0 && acceptedAnswer(request, 'confirm') ? 'state-ok' : CONFIRM,
  test_input_required_result_tampered_state: (request, round) =>
    round > 0 && acceptedAnswer(request, 'confirm') ? 'integrity-ok' : CONFIRM,
  test_input_required_result_multiple_inputs: ({ inputResponses = {} }) =>
    ['user_name', 'greeting', 'client_roots'].every((key) => key in inputResponses)
      ? 'All three are answered'
      : { ...NAME, ...GREETING, ...ROOTS },
  test_input_required_result_multi_round: (request, round) => {
    if (round === 0) return { step1: elicit('Step 1: What is your name?', 'name') }
    if (round === 1) return { step2: elicit('Step 2: What is your favorite color?', 'color') }
    return `The color is ${acceptedAnswer(request, 'step2')?.color}`
  },
}

export function registerElicitationTools(server: McpServer): void {
  const description = 'Asks before it answers'
  const answered = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  for (const [name, act] of Object.entries(STEPS)) {
    server.registerTool(name, { description }, ({ mcpReq }) => {
      const step = act(mcpReq)
      return typeof step === 'string' ? answered(step) : inputRequired({ inputRequests: step })
    })
  }
  for (const [name, act] of Object.entries(ROUNDS)) {
    server.registerTool(name, { description }, async ({ mcpReq }) => {
      const { round = 0 } = mcpReq.requestState<{ round: number }>() ?? {}
      const step = act(mcpReq, round)
      if (typeof step === 'string') return answered(step)
      return inputRequired({ inputRequests: step, requestState: await STATES.mint({ round: round + 1 }) })
    })
  }
  // The prompt has no arguments, so the context comes first.
  server.registerPrompt('test_input_required_result_prompt', { description }, ((context: unknown) => {
    const words = acceptedAnswer((context as ServerContext).mcpReq, 'user_context')?.context
    if (typeof words !== 'string') {
      const inputRequests = { user_context: elicit('What context should the prompt use?', 'context') }
      return inputRequired({ inputRequests })
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: `Use this context: ${words}` } }] }
  }) as Parameters<McpServer['registerPrompt']>[2])
}
