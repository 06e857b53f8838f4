import { toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { isCommonHeadline } from './chat.ts'
import { isThrown } from './guess.ts'
import { usable } from './places.ts'
import { isHeadline } from './quiet.ts'
import type { ReportNode } from './walk.ts'

/** The text of a mail starts with details, or with the name of its sender. */
export const isMail = (message: string): boolean => message.trim().includes('\n')

/** A message of several lines below its subject, as in a mail. The subject says what it is about. */
export const withHeadline = (found: RecordDraft, nodes: readonly ReportNode[]): RecordDraft => {
  const message = toText(found.message) ?? ''
  if (!isMail(message) || isThrown(found)) return found
  const node = nodes.find(({ key, depth, value }) => depth === 1 && isHeadline(key) && usable(value) !== null)
  const headline = usable(node?.value)
  if (headline === null || isCommonHeadline(headline) || message.includes(headline)) return found
  return { ...found, message: `${headline}\n${message}` }
}
