import type { SQLInputValue } from 'node:sqlite'
import type { Tables } from '@catalog/replica/tables.ts'

/** SQL with its values, in the order of their places in the text. */
export type Sql = Readonly<{ text: string; values: readonly SQLInputValue[] }>
export const sql = (parts: readonly string[], ...values: readonly (SQLInputValue | Sql)[]): Sql => ({
  text: parts.map((part, i) => part + (i < values.length ? textOf(values[i] as SQLInputValue | Sql) : '')).join(''),
  values: values.flatMap((value) => (isSql(value) ? value.values : [value])),
})
const isSql = (value: SQLInputValue | Sql): value is Sql =>
  typeof value === 'object' && value !== null && 'text' in value
const textOf = (value: SQLInputValue | Sql) => (isSql(value) ? value.text : '?')
export const raw = (text: string): Sql => ({ text, values: [] })
export const joined = (parts: readonly Sql[], by: string): Sql => ({
  text: parts.map(({ text }) => text).join(by),
  values: parts.flatMap(({ values }) => values),
})
export const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? raw('true') : joined(conditions, ' and ')

export function rowsOf<R>(tables: Tables, { text, values }: Sql): R[] {
  return tables.all<R>(text, ...values)
}
