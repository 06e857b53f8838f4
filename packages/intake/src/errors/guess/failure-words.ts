import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { keysIn, toText } from '../json.ts'
import { errorKeys } from './names.ts'

// An error report may contain unrelated states: the order is paid, the browser is online, the last step succeeded.
// A sentence that describes a failure has priority.

const words =
  /\b(?:fail(?:s|ed|ing|ures?)?|errors?|exceptions?|can(?:not|'t)|could(?: not|n't)|unable|did(?: not|n't)|does(?: not|n't)|was(?: not|n't)|is not|not found|refused|rejected|denied|declined|forbidden|unauthori[sz]ed|time(?:d ?|-)?outs?|crash(?:ed|es|ing)?|broken|invalid|missing|unexpected(?:ly)?|undefined|null|nan|fatal|panic|abort(?:ed)?|corrupt(?:ed)?|exceeded|expired|mismatch|conflict|unhandled|uncaught|stuck|stopped|lost|full|killed|blocked|hang(?:s|ed)?|hung|blank|wrong|bug|leak(?:s|ed|ing)?|unsuccessful(?:ly)?|degraded)\b|\w(?:Error|Exception)\b/i

/** The same in other languages, many of which compound or decline words. */
const wordsElsewhere =
  /fehler|fehlgeschlagen|konnte nicht|abgelehnt|erreur|échou|échec|impossible|refusé|fall[oó]|no se pudo|rechazad|falh|não foi|errore|impossibile|fallit|fout|mislukt|błąd|nie udało|hata|başarısız|ошибк|не удалось|сбой|помилк|エラー|失敗|できません|失败|错误|異常|异常|오류|실패|خطأ|فشل|विफल|त्रुटि/i

/** `completed without errors`, `0 failed`. */
const denied = /\b(?:no|0|zero|without(?: any)?) (?:\w{1,30} )?(?:errors?|failures?|failed|exceptions?|timeouts?)\b/gi

/** `DISK OK - free space`: the output of Nagios plugins starts with the state. */
const isFine = /^(?:[A-Z][\w-]{0,30} ){0,3}OK ?[-:|]/

const longest = 1_000

const mentionsFailure = (text: string): boolean => words.test(text) || wordsElsewhere.test(text)

/** A page may be called `/errors/404`. */
const withoutPaths = (text: string): string =>
  text
    .split(' ')
    .filter((word) => !word.includes('/'))
    .join(' ')

/** Whether a text describes a failure. */
export const describesFailure = (sentence: unknown): boolean => {
  const text = toText(sentence)?.slice(0, longest) ?? ''
  if (isFine.test(text) || !mentionsFailure(text)) return false
  const prose = text.includes('/') ? withoutPaths(text) : text
  return mentionsFailure(prose.replace(denied, ''))
}

/** Placeholders for "no error". */
const isNone = /^(?:none|null|nil|no|ok|okay|n\/a|undefined|success|(?:no|without) errors?)[.!]?$/i

const isErrorText = (value: unknown): boolean =>
  typeof value === 'string' && /\p{L}{2}/u.test(value) && !isNone.test(value.trim())

/** Whether a report has a non-empty error, as text or as an object with text. */
export const namesError = (report: JsonRecord): boolean =>
  keysIn(report, errorKeys).some((key) => {
    const value = report[key]
    return key !== 'reason' && (isErrorText(value) || (isRecord(value) && isErrorText(value['message'])))
  })
