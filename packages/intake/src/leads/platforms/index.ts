import type { JsonRecord } from '../../sanitize/json-path.ts'
import { form } from './form.ts'
import { linkedin } from './linkedin.ts'
import type { LeadReader } from './reader.ts'
import { describedReaders } from './table-reader.ts'
import { typeform } from './typeform.ts'
import { whatsapp } from './whatsapp.ts'
import { wufoo } from './wufoo.ts'

/** Tried in this order. `form` reads everything that no other reader recognizes. */
export const leadReaders: readonly LeadReader[] = [whatsapp, linkedin, typeform, wufoo, ...describedReaders, form]

export const readerFor = (body: JsonRecord, source: string): LeadReader =>
  leadReaders.find((reader) => reader.recognizes(body, source)) ?? form
