import type { ErrorLevel } from '@service/contract/values'
import { levelIn, type PrintedLine } from './line.ts'

// Lines that start with a time or a level, with anything between it and the sentence.

/** A leading time, with or without brackets. Ruby's Logger puts a letter before it; log4j may count milliseconds. */
const time =
  /^(?:[A-Z], )?\[?(?:\d{6} \d{6}(?= )|\d{1,10}(?= \[)|(?:(?:(?:\d{4}|\d\d)[-/]\d\d[-/]\d\d|\d{1,2}[-/][A-Z][a-z]{2}[-/]\d{4}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d)(?:, |[T :]))?\d\d:\d\d(?::\d\d)?(?:\.\d{1,9} \d{4})?[^\s|\]]{0,20}(?: UTC| #\d{1,8}|\.\d{1,9} #\d{1,8})?)\]?/
const tokensRead = 6
const maxHeadLength = 160
const betweenTokens = /(?<=\s)(?=\S)|(?<=\])(?=\[)/
/** A level in capitals or brackets, possibly with a thread or a process. */
const levelToken =
  /^(?:[[(|<]{0,2}(?:[\w-]{1,40}\/)?([A-Z]{3,11})(?:\/[\w-]{1,40})?[\])|>]{0,2}:?|\[(?:\w{1,30}:)?([A-Za-z]{3,11})\]:?|([A-Z][a-z]{3,11})(?::|(?=\s{2})))/

/** The part between the level and the sentence: process, thread, logger. */
const source =
  /^(?:(?:-- :|--|\d{1,8} ---|\||:|-)\s{1,4})?(?:\[(?!\d{4}-)[^\]]{0,80}\]\s{1,4}){0,3}(?:[\w.$/]{1,120}\s{0,40}(?: - |: | \| ))?/

/** An error class before a colon is kept. */
const withoutSource = (text: string): string => {
  const [head = ''] = source.exec(text) ?? []
  return /(?:Error|Exception): $/.test(head) ? text : text.slice(head.length)
}

const leadingLocation = /^\s{0,4}([\w./-]{1,200}\.\w{1,6}):(\d{1,7})(?: -|:|\])?\s{1,4}/

/** The sentence may start with the location of the log call. */
const toPrintedLine = (sentence: string, severity: ErrorLevel): PrintedLine => {
  const [head = '', file = null, line = null] = leadingLocation.exec(sentence) ?? []
  const rest = sentence.slice(head.length).trimStart()
  const message = file === null ? withoutSource(rest) : rest
  return { message: message === '' ? rest : message, severity, file, line }
}

/** A time, followed by a level within a few words. */
export const readTimed = (text: string): PrintedLine | null => {
  const head = time.exec(text)?.[0]
  if (head === undefined) return null
  const line = text.slice(head.length)
  let from = 0
  for (const token of line.slice(0, maxHeadLength).split(betweenTokens, tokensRead)) {
    from += token.length
    const [, capital, bracketed, word] = levelToken.exec(token) ?? []
    const severity = levelIn(capital ?? bracketed ?? word ?? '')
    if (severity !== null) return toPrintedLine(line.slice(from), severity)
  }
  return null
}

/** `ERROR [main] 2026-01-01 10:00:00,123 Cart.java:42 - `, with the level first; Logstash puts it in brackets. */
const levelFirst = /^\[?([A-Z]{4,9})\s{0,2}\]?:?\s{1,4}(?:\[[^\]]{0,80}\]\s{1,4})?(?=\d)/

export const readLevelFirst = (text: string): PrintedLine | null => {
  const [head = '', level = ''] = levelFirst.exec(text) ?? []
  const severity = levelIn(level)
  const rest = text.slice(head.length)
  const printedTime = time.exec(rest)?.[0]
  return severity === null || printedTime === undefined ? null : toPrintedLine(rest.slice(printedTime.length), severity)
}

const maxColumns = 8
const callerColumn = /^([\w./@-]{1,200}\.\w{1,6}):(\d{1,7})$/

/** Columns between tabs, as Go's zap prints them: time, level, logger, caller, sentence, fields in JSON. */
export const readColumns = (text: string): PrintedLine | null => {
  const [head = ''] = text.split('\n', 1)
  const [printedTime = '', level = '', ...others] = head.split('\t', maxColumns)
  const severity = levelIn(level.trim())
  if (others.length === 0 || severity === null || !time.test(printedTime)) return null
  const caller = others.map((column) => callerColumn.exec(column)).find((match) => match !== null)
  const textColumns = others.filter((column) => !column.startsWith('{') && !callerColumn.test(column))
  const message = textColumns.find((column) => column.includes(' ')) ?? textColumns.at(-1) ?? head
  return { message, severity, file: caller?.[1] ?? null, line: caller?.[2] ?? null }
}
