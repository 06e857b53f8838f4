import * as z from 'zod/mini'

/**
 * The zones whose name Unicode keeps although the IANA database has renamed them. JavaScript engines with ICU return
 * the old names.
 */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Names of ICU that are not in the IANA database, and offsets. */
const notIana =
  /^(?:[+-].*|SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i

/** The present IANA name of a time zone: `Asia/Kolkata` for `asia/calcutta`. Undefined if there is no such zone. */
export function canonicalTimeZone(name: string): string | undefined {
  if (notIana.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    return renamed[timeZone] ?? timeZone
  } catch {
    return undefined
  }
}

/** A time zone, converted to its present IANA name, so that one zone is not stored under several names. */
export const timeZone = z.pipe(
  z.string().check(
    z.refine((name) => canonicalTimeZone(name) !== undefined, {
      error: 'must be an IANA time zone such as Europe/Berlin',
    }),
  ),
  z.pipe(
    z.transform((name: string) => canonicalTimeZone(name) ?? name),
    z.string(),
  ),
)
