import { describe, expect, test } from 'vitest'
import { attributesOf } from './attributes-of.ts'
import { vocabularies } from './read-vocabularies.ts'

describe('the vocabularies', () => {
  const examples = vocabularies().flatMap(({ trade, roles }) =>
    roles.flatMap(({ role, forms }) =>
      forms.flatMap((form) => Object.entries(form.examples).map(([name, value]) => ({ trade, role, name, value }))),
    ),
  )

  test.each(examples)('of $trade read $role in $name as $value', ({ role, name, value }) => {
    const found = attributesOf({ name }).filter((attribute) => attribute.role === role)
    expect(found.map(({ values }) => values.join(' '))).toContain(value)
  })

  test('have an example for every form', () => {
    for (const { roles } of vocabularies()) {
      for (const { role, forms } of roles) {
        for (const { examples: of } of forms) expect([role, Object.keys(of).length]).not.toEqual([role, 0])
      }
    }
  })
})
