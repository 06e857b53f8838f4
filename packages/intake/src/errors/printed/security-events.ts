import type { ErrorLevel } from '@service/contract/values'
import type { PrintedLine } from './line.ts'

// CEF and LEEF, which security devices write.

/** `CEF:0|vendor|product|version|id|name|severity|`, with severities from 0 to 10. */
const cef = /^CEF:\d\|(?:[^|]{0,200}\|){4}([^|]{1,500})\|(\d{1,2}|[A-Za-z-]{1,12})\|/
const cefRanks: Readonly<Record<string, number>> = { low: 0, medium: 4, high: 7, 'very-high': 9 }
const cefLevel = (severity: string): ErrorLevel | null => {
  const rank = cefRanks[severity.toLowerCase()] ?? Number(severity)
  if (Number.isNaN(rank)) return null
  if (rank >= 9) return 'critical'
  if (rank >= 7) return 'error'
  return rank >= 4 ? 'warning' : 'info'
}

export const readCef = (text: string): PrintedLine | null => {
  const [, message, severity = ''] = cef.exec(text) ?? []
  return message === undefined ? null : { message, severity: cefLevel(severity), file: null, line: null }
}

/** `LEEF:2.0|vendor|product|version|id|^|sev=8^msg=…`; without a sign of its own tabs stand between the attributes. */
const leef =
  /^LEEF:[12]\.0\|[^|]{0,200}\|([^|]{0,200})\|[^|]{0,100}\|([^|]{1,200})\|(?:(0?x[\dA-Fa-f]{1,4}|[^|=\w])\|)?/
const mostAttributes = 60
const leefMessages = ['msg', 'message', 'reason', 'desc', 'description'] as const

const leefSign = (given: string | undefined): string => {
  if (given === undefined) return '\t'
  return given.length === 1 ? given : String.fromCharCode(Number.parseInt(given.replace(/^0?x/, ''), 16))
}

export const readLeef = (text: string): PrintedLine | null => {
  const [head, product = '', id = '', sign] = leef.exec(text) ?? []
  if (head === undefined) return null
  const attributes = new Map(
    text
      .slice(head.length)
      .split(leefSign(sign), mostAttributes)
      .map((attribute) => {
        const equals = attribute.indexOf('=')
        return [attribute.slice(0, Math.max(0, equals)).trim(), attribute.slice(equals + 1).trim()] as const
      }),
  )
  const said = leefMessages.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== '')
  const severity = attributes.get('sev')
  return {
    message: said ?? `${product}: ${id}`,
    severity: severity === undefined || severity === '' ? null : cefLevel(severity),
    file: null,
    line: null,
  }
}
