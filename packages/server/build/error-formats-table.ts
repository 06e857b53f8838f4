import { rows } from '@service/intake/errors/formats/index'
import { type Row, toList } from '@service/intake/errors/formats/table-format'
import { messageRules } from '@service/intake/errors/message-rules'
import { markdownTable } from './markdown-table.ts'

const maxShown = 3

/** Formats alternative paths as `a, b, c…`, without the expressions that their values must match. */
const alternatives = (term: string): string => {
  const plain = term.split(' | ').map((path) => path.replace(/~.*$|:(?:object|list|text|number)$/, ''))
  const shown = [...new Set(plain)].map((path) => `\`${path.replace(/^[=^]/, '')}\``)
  return shown.slice(0, maxShown).join(', ') + (shown.length > maxShown ? '…' : '')
}

const paths = (expression: string | undefined): string =>
  (expression ?? '')
    .split(' & ')
    .filter((term) => term !== '' && !term.startsWith('!'))
    .map(alternatives)
    .join(' with ')

/** The cells of formats that are implemented in code. */
const inCode: Readonly<Record<string, readonly [message: string, exception: string]>> = {
  loki: ['each line, also JSON', 'of the line'],
  otlp: ['`exception.message`, the body of a log, the status of a span', '`exception.type`'],
  sentry: ["the last value's `value`, `logentry`, `message`", "the last value's `type`"],
  'sentry-webhook': ['as Sentry, or `metadata.value`', 'as Sentry, or `metadata.type`'],
}

/** Rows with an error object read its message and class by their common names. */
const usual = ({ error }: Row): string => (error === undefined ? '' : `of \`${error}\``)

const howOf = ({ guess, drop, message, error }: Row): string => {
  if (drop !== undefined && message === undefined && error === undefined) return 'ignored'
  return guess ? 'the rest is guessed' : 'exact'
}

const rowOf = (row: Row): readonly string[] => {
  const [message, exception] = inCode[row.name] ?? [
    paths(row.message) || usual(row),
    paths(row.exception) || usual(row),
  ]
  return [row.title, `\`${row.name}\``, howOf(row), toList(row.when).map(paths).join(' · '), message, exception]
}

/** The formats of error reports. */
export const formatsTable = (): string =>
  markdownTable(
    ['format', 'name', 'how', 'recognized by', 'message', 'exception'],
    [
      ['documented', '`documented`', 'exact', 'only the fields above, each one line long', '`message`', '`exception`'],
      ...rows.map(rowOf),
      [
        'anything else',
        '`generic`',
        'a guess',
        '',
        'the best name in the body',
        'the best name in the body, or a stack',
      ],
    ],
  )

const code = (text: string): string => `\`${text.replaceAll('\n', ' ⏎ ')}\``

/** The rules that group messages. */
export const rulesTable = (): string =>
  markdownTable(
    ['rule', 'what it does', 'before', 'after'],
    messageRules.map(({ name, description, example: [before, after] }) => [
      name,
      description,
      code(before),
      code(after),
    ]),
  )
