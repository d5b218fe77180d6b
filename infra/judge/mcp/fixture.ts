import {
  type CallToolResult,
  fromJsonSchema,
  type GetPromptResult,
  type JSONValue,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { registerElicitationTools, STATES } from './fixture-elicitation.ts'

/**
 * The tools, resources and prompts that the conformance suite calls by name. They test the MCP endpoint beyond the
 * catalog's features: every kind of content, progress, logs. The fixture runs behind the endpoint's authentication
 * (fixture-endpoint.ts), never in the product.
 */
export function openFixture(): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: STATES.verify },
    },
  )
  for (const [name, content] of Object.entries(CONTENTS)) {
    server.registerTool(name, { description: 'Answers one kind of content' }, () => ({ content }))
  }
  registerBehaviours(server)
  registerSchemas(server)
  registerElicitationTools(server)
  registerResources(server)
  registerPrompts(server)
  // Subscriptions would belong to a session, and there is none.
  server.server.setRequestHandler('resources/subscribe', async () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}))
  server.server.setRequestHandler('logging/setLevel', async () => ({}))
  server.server.setRequestHandler('completion/complete', async () => ({ completion: { values: [], total: 0 } }))
  return server
}

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** Audio without samples. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

type Content = CallToolResult['content']
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const embedded = (uri: string, text: string, mimeType = 'text/plain') =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const
const text = (words: string) => ({ type: 'text', text: words }) as const

/** Tool names with their answers. */
const CONTENTS: Readonly<Record<string, Content>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
  ],
  test_streaming_elicitation: [text('A stream of nothing but its result')],
}

const PROGRESS = [0, 50, 100]

function registerBehaviours(server: McpServer): void {
  const behaviour = (name: string, act: (context: ServerContext) => Promise<string>) =>
    server.registerTool(name, { description: 'Does one thing' }, async (context) => ({
      content: [text(await act(context))],
    }))
  behaviour('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  behaviour('test_tool_with_logging', async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
    return 'Three messages were logged'
  })
  behaviour('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'Sent only to clients that asked for logs')
    return 'One message was logged'
  })
  behaviour('test_tool_with_progress', async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {}
    if (progressToken === undefined) return 'The client asked for no progress'
    for (const progress of PROGRESS)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    return 'Progress was made'
  })
}

function registerSchemas(server: McpServer): void {
  const schema = (name: string, json: Record<string, JSONValue>) =>
    server.registerTool(
      name,
      { description: 'Has a schema that must not be altered', inputSchema: fromJsonSchema(json) },
      (given) => ({
        content: [text(JSON.stringify(given))],
      }),
    )
  schema('test_x_mcp_header', {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
  })
  schema('json_schema_2020_12_tool', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  })
}

function registerResources(server: McpServer): void {
  const of = (uri: string, mimeType: string, held: { text: string } | { blob: string }) =>
    server.registerResource(uri.slice('test://'.length), uri, { mimeType }, () => ({
      contents: [{ uri, mimeType, ...held }],
    }))
  of('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' })
  of('test://static-binary', 'image/png', { blob: PNG })
  of('test://watched-resource', 'text/plain', { text: 'Nothing changes here' })
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }))
}

function registerPrompts(server: McpServer): void {
  const promptResult = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
    messages: contents.map((content) => ({ role: 'user', content })),
  })
  const words = (...names: string[]) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: 'Any words' }])),
      required: names,
    })
  const description = 'Says one thing'
  server.registerPrompt('test_simple_prompt', { description }, () =>
    promptResult(text('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: words('arg1', 'arg2') },
    ({ arg1, arg2 }) => promptResult(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: words('resourceUri') },
    ({ resourceUri }) =>
      promptResult(embedded(resourceUri ?? '', 'Embedded resource content for testing.'), text('Please process it.')),
  )
  server.registerPrompt('test_prompt_with_image', { description }, () =>
    promptResult(image, text('Please analyze the image above.')),
  )
}
