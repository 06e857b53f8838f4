import { apiRoutes, inboundRoutes } from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import { ignoredReasons } from '@service/intake/leads/captured-lead'
import { expect, test } from 'vitest'
import { kinds } from '../../src/testing/factories/define-factory.ts'

const operations = [...apiRoutes, ...inboundRoutes].map(({ operation }) => operation)

test('the table names every operation of the contract and only existing factories', () => {
  const docs = apiDocs
  expect(Object.keys(docs).toSorted()).toEqual(operations.toSorted())
  const named = Object.values(docs).flatMap(({ notes }) => notes.createdWith)
  const known = Object.keys(kinds).map((kind) => `create.${kind}`)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('the table names every reason why a lead is not created', () => {
  const { notes } = apiDocs['leads.capture']
  const decided = notes.decisions.map((decision) => decision.answer).join()
  const reasons = ['duplicate', 'source_inactive', 'no_contact', ...Object.keys(ignoredReasons)]
  expect(reasons.filter((reason) => !decided.includes(`\`${reason}\``))).toEqual([])
})
