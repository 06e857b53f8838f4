import { isRecord } from '../sanitize/json-path.ts'
import { tidy } from '../sanitize/sanitize-text.ts'
import { crashSite, type Frame, splitLocation } from './frame.ts'
import { toLine, toStatus, toText } from './json.ts'
import { isLibraryCode } from './library-code.ts'
import { readLogText } from './log-text.ts'
import { readAccessLine } from './printed/access-line.ts'
import { type SeverityScale, severityName } from './severity.ts'
import { readStack } from './stacks/index.ts'
import type { Unread } from './unread.ts'

/** The common record of all formats. Null means that the report does not have the field. */
export type ErrorRecord = {
  readonly message: string | null
  readonly exception: string | null
  readonly file: string | null
  readonly line: number | null
  readonly url: string | null
  readonly method: string | null
  readonly framework: string | null
  readonly environment: string | null
  readonly app: string | null
  /** A canonical name for all scales: `error`, `warning`, `critical`, and so on. */
  readonly severity: string | null
  readonly status: number | null
  /** The newest frame is first, regardless of the format's order. */
  readonly frames: readonly Frame[]
  /** The grouping that the client requested. */
  readonly fingerprint: readonly string[] | null
  /** The causes of the error, the nearest first. */
  readonly causes: readonly Cause[]
  /** Labels of an alert: the host, the rule, the region. */
  readonly labels: Labels | null
  /** Whether this is a recovery, which opens no ticket. */
  readonly recovered: boolean
  /** A description of the body, if no reader recognized any of it. */
  readonly unread: Unread | null
}

export type Labels = Readonly<Record<string, string>>

export type Cause = { readonly exception: string | null; readonly message: string | null }

/** The raw values that a format found. A value of the wrong type counts as missing. */
export type RecordDraft = {
  readonly [Field in Exclude<keyof ErrorRecord, 'frames' | 'causes' | 'recovered' | 'unread'>]?: unknown
} & {
  readonly recovered?: boolean
  readonly severityScale?: SeverityScale
  readonly frames?: readonly Frame[]
  readonly causes?: readonly { readonly exception?: unknown; readonly message?: unknown }[]
  /** A stack as text. It fills in missing fields. */
  readonly stack?: unknown
}

const maxMessageLength = 65_535
const maxNameLength = 255
const maxPathLength = 1_024
const maxUrlLength = 2_048
const maxFrames = 100
const maxCauses = 20
const maxFingerprintParts = 20
const maxLabels = 50

const httpMethod = /^[a-z]{3,16}$/i

const toMethod = (value: unknown): string | null => {
  const method = toText(value)?.trim()
  return method !== undefined && httpMethod.test(method) ? method.toUpperCase() : null
}

/** A name has a letter; a number is a port or an id. */
const toApp = (value: unknown): string | null => {
  const name = tidy(toText(value), maxNameLength)
  return name !== null && /\p{L}/u.test(name) ? name : null
}

const toFingerprint = (value: unknown): string[] | null => {
  const parts = (Array.isArray(value) ? value : [value]).slice(0, maxFingerprintParts)
  const tidied = parts.map((part) => tidy(toText(part), maxNameLength)).filter((part) => part !== null)
  return tidied.length === 0 ? null : tidied
}

const toLabels = (value: unknown): Labels | null => {
  if (!isRecord(value)) return null
  const labels: [string, string][] = []
  for (const [key, label] of Object.entries(value)) {
    const [name, text] = [tidy(key, maxNameLength), tidy(toText(label), maxNameLength)]
    if (name !== null && text !== null) labels.push([name, text])
    if (labels.length >= maxLabels) break
  }
  return labels.length === 0 ? null : Object.fromEntries(labels)
}

const toCause = ({ exception, message }: { readonly exception?: unknown; readonly message?: unknown }): Cause => ({
  exception: tidy(toText(exception), maxNameLength),
  message: tidy(toText(message), maxNameLength),
})

/** An explicit file has priority over the frames, unless it is a library's. */
const locate = (found: RecordDraft, frames: readonly Frame[]) => {
  const split = toLine(found.line) === null ? splitLocation(found.file) : null
  const file = tidy(split?.line ? split.file : toText(found.file), maxPathLength)
  const crash = crashSite(frames)
  // A library's file is not the application.
  const isOfLibrary = file !== null && crash?.inApp === true && isLibraryCode(file, null)
  if (file === null || isOfLibrary) {
    if (crash !== null) return { file: crash.file, line: crash.line }
    return { file: null, line: toLine(found.line) }
  }
  return { file, line: toLine(found.line) ?? split?.line ?? frames.find((frame) => frame.file === file)?.line ?? null }
}

/** A log sentence may contain fields that the report lacks: class, location, and severity. */
const withLogText = (found: RecordDraft): RecordDraft => {
  const text = toText(found.message)
  const line = text === null ? null : readLogText(text)
  if (line === null) return found
  const hasLocation = toText(found.file) !== null || (found.frames?.length ?? 0) > 0
  return {
    ...found,
    message: line.message,
    exception: toText(found.exception) ?? line.exception,
    severity: found.severity ?? line.severity,
    ...(hasLocation || line.file === null ? {} : { file: line.file, line: line.line }),
  }
}

/** An access log line has a request and a status, but no exception. */
const withAccessLine = (found: RecordDraft, originalMessage: unknown): RecordDraft => {
  const ownLine = readAccessLine(toText(found.message) ?? '')
  // Fields next to the sentence also describe the request.
  const line = ownLine ?? readAccessLine(toText(originalMessage) ?? '')
  return line === null || toText(found.exception) !== null
    ? found
    : {
        ...found,
        message: ownLine === null ? found.message : ownLine.message,
        url: found.url ?? line.url,
        method: found.method ?? line.method,
        status: found.status ?? line.status,
      }
}

/** A message may contain the whole stack, including the headline. */
const withPrintedStack = (found: RecordDraft): RecordDraft => {
  const message = toText(found.message)
  if (!message?.includes('\n') || (found.frames?.length ?? 0) > 0 || (toText(found.stack) ?? message) !== message)
    return found
  const reading = readStack(message)
  if (reading === null || reading.frames.length === 0) return found
  const severity = found.severity ?? readLogText(message)?.severity
  return { ...found, message: reading.message ?? message, stack: message, severity }
}

export const toRecord = (draft: RecordDraft): ErrorRecord => {
  const found = withAccessLine(withLogText(withPrintedStack(draft)), draft.message)
  const stack = readStack(found.stack)
  const frames = (found.frames?.length ? found.frames : (stack?.frames ?? [])).slice(0, maxFrames)
  const causes = found.causes?.length ? found.causes : (stack?.causes ?? [])
  return {
    message: tidy(toText(found.message) ?? stack?.message ?? null, maxMessageLength),
    exception: tidy(toText(found.exception) ?? stack?.exception ?? null, maxNameLength),
    ...locate(found, frames),
    url: tidy(toText(found.url), maxUrlLength),
    method: toMethod(found.method),
    framework: tidy(toText(found.framework), maxNameLength),
    environment: tidy(toText(found.environment), maxNameLength),
    app: toApp(found.app),
    severity: severityName(found.severity, found.severityScale),
    status: toStatus(found.status),
    frames,
    fingerprint: toFingerprint(found.fingerprint),
    causes: causes.slice(0, maxCauses).map(toCause),
    labels: toLabels(found.labels),
    recovered: found.recovered === true,
    unread: null,
  }
}
