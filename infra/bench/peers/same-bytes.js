import { createServer } from 'node:http'
import { gzip } from 'node:zlib'
import { HOST, serving } from './serving.js'

/**
 * Bare node:http with the bytes of another server, whose origin is the argument. It fetches them at the first request and
 * caches them. For clients that accept gzip it compresses each time, in libuv's threads, as servers with live compression do.
 */
const [origin] = process.argv.slice(2)
const documents = new Map()

async function fetchDocument(path) {
  const response = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'identity' } })
  if (response.status !== 200) throw new Error(`${origin}${path}: expected 200, found ${response.status}`)
  const document = {
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }
  documents.set(path, document)
  return document
}

const server = createServer(async (request, response) => {
  const { type, bytes } = documents.get(request.url) ?? (await fetchDocument(request.url))
  if (!request.headers['accept-encoding']?.includes('gzip')) {
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
    response.end(bytes)
    return
  }
  gzip(bytes, (error, compressed) => {
    if (error) throw error
    response.writeHead(200, {
      'content-type': type,
      'content-encoding': 'gzip',
      'content-length': compressed.length,
    })
    response.end(compressed)
  })
})
server.listen(0, HOST, () => serving(server.address().port))
