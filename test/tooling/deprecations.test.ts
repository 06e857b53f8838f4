import { expect, test } from 'vitest'
import { deprecationsIn, isCompleteDeprecation } from '../../.ci/deprecations.ts'
import { readRepoFile } from './repo.ts'

test('finds every deprecation of the types, with the whole of its sentence', () => {
  const types = `
    /** Opens it. @deprecated Since 1.4: use \`open\` */
    declare function start(): void;
    interface Options {
        /**
         * How long.
         * @deprecated Since 1.5: use \`timeoutMs\`, which
         *   counts milliseconds.
         * @default 5
         */
        timeout?: number;
        /** @deprecated */
        wait?: number;
    }`
  expect(deprecationsIn(types)).toEqual([
    'Since 1.4: use `open`',
    'Since 1.5: use `timeoutMs`, which counts milliseconds.',
    '',
  ])
})

test.each([
  ['Since 1.4: use `open`', true],
  ['Since 10.12: use `client.tickets.list()`, which pages.', true],
  ['', false],
  ['Use `open`.', false],
  ['Since 1.4', false],
  ['Since 1.4: use something else', false],
  ['since 1.4: use `open`', false],
])('a deprecation says since when, and what to use instead: %j is %s', (note, isComplete) => {
  expect(isCompleteDeprecation(note)).toBe(isComplete)
})

test('the guide shows a deprecation of this form', () => {
  const notes = deprecationsIn(readRepoFile('docs/guides/versions.md'))
  expect(notes.map(isCompleteDeprecation)).toEqual([true])
})
