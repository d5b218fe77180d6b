import type { paths } from './api.ts'

/** Types that read an operation's parameters, body and answers from the generated ones. */

type PathWith<Method extends 'get' | 'post'> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never
}[keyof paths]

/** A path that answers GET, as the OpenAPI document writes it: `/items/{id}`. */
export type GetPath = PathWith<'get'>
export type PostPath = PathWith<'post'>
export type Get<Path extends GetPath> = paths[Path]['get']
export type Post<Path extends PostPath> = paths[Path]['post']

type Content<Operation> = Operation extends { responses: { 200: { content: infer Held } } }
  ? Held
  : Operation extends { responses: { 201: { content: infer Held } } }
    ? Held
    : never

/** The JSON that an operation answers with; never where it has none. */
export type Json<Operation> = Content<Operation> extends { 'application/json': infer Held } ? Held : never
/** Media types of an operation that are text, but for JSON. */
export type TextMedia<Operation> = Extract<
  keyof Content<Operation>,
  `text/${string}` | `${string}+xml` | 'application/x-ndjson'
>
/** All its other media types, as bytes. */
export type BinaryMedia<Operation> = Exclude<keyof Content<Operation>, 'application/json' | TextMedia<Operation>>

/** What every call takes. */
export type Call = Readonly<{
  /** Ends the call, its waits included: it then rejects with the signal's reason. */
  signal?: AbortSignal
}>

type Parameters<Operation> = Operation extends { parameters: infer Given } ? Omit<Given, 'header' | 'cookie'> : object
type Body<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Held } } }
  ? { body: Held }
  : object

/** An operation's `path` and `query` parameters and its `body`. */
export type Init<Operation> = Call & Parameters<Operation> & Body<Operation>
/** The last argument of a call, which may be left out where nothing in it is required. */
export type Rest<Given> = object extends Given ? [init?: Given] : [init: Given]

/** Query parameters of an operation. */
export type Query<Operation> = Operation extends { parameters: { query?: infer Given } } ? NonNullable<Given> : never

/** A path whose answers are pages: it takes the cursor of the page before. */
export type PagedPath = {
  [Path in GetPath]: Query<Get<Path>> extends { cursor?: string } ? Path : never
}[GetPath]
