import { expect, it } from 'vitest'
import { findExpressions, findIn } from '../../.ci/regular-expressions/find.ts'
import { judge } from '../../.ci/regular-expressions/judge.ts'
import { hashOf, literalOf, readVerdicts } from '../../.ci/regular-expressions/verdicts.ts'
import { repoRoot } from './repo.ts'

it('has a verdict for every regular expression of the packages, and none for one that is gone', () => {
  const { literals } = findExpressions(repoRoot)
  const hashes = [...new Set(literals.map(hashOf))].sort()
  expect(hashes.length).toBeGreaterThan(200)
  expect(Object.keys(readVerdicts()).sort(), 'Run pnpm check:regex --write').toEqual(hashes)
})

it('finds expressions in literals and in texts that are known beforehand, and tells of the others', () => {
  const text = [
    'const half = a / b / c',
    'const word = "[a-z]+"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text of code here
    "const both = new RegExp(`^${word}:(\\\\d)$`, 'i')",
    'const found = /[/]\\//g.exec(text)',
    'const made = RegExp(given)',
  ].join('\n')
  const { literals, dynamic } = findIn('given.ts', text)
  expect(literals.map((found) => `${found.place} ${literalOf(found)}`)).toEqual([
    'given.ts:3 /^[a-z]+:(\\d)$/i',
    'given.ts:4 /[/]\\//g',
  ])
  expect(dynamic).toEqual([{ place: 'given.ts:5', text: 'RegExp(given)' }])
})

it('refuses an expression whose time grows faster than its text', async () => {
  const expressions = ['/^[A-Z\\s]+=?\\s*$/', '/^[a-z]{1,20}$/'].flatMap(
    (literal) => findIn('given.ts', `const it = ${literal}`).literals,
  )
  const { found, complaints } = await judge(expressions.map((expression) => [hashOf(expression), expression] as const))
  expect(complaints).toEqual([expect.stringContaining('given.ts:1: /^[A-Z\\s]+=?\\s*$/ is vulnerable')])
  expect(Object.values(found)).toEqual([{ verdict: 'safe', expression: '/^[a-z]{1,20}$/' }])
})

it('refuses an expression that is only kept from trying every split of a text by its bounds', async () => {
  const expressions = [
    '/^[\\w-]{1,60}(?:[._:][\\w-]{1,60}){1,8}$/',
    '/^[\\w-]{1,60}(?:[.:][\\w-]{1,60}){1,8}$/',
  ].flatMap((literal) => findIn('given.ts', `const it = ${literal}`).literals)
  const { found, complaints } = await judge(expressions.map((expression) => [hashOf(expression), expression] as const))
  expect(complaints).toEqual([expect.stringContaining('{1,60}(?:[._:][\\w-]{1,60}){1,8}$/ is vulnerable, exponential')])
  expect(Object.values(found)).toEqual([{ verdict: 'safe', expression: '/^[\\w-]{1,60}(?:[.:][\\w-]{1,60}){1,8}$/' }])
})
