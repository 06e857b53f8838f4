import { masked } from '@service/intake/errors/mask-text'
import type { CapturedLead } from '@service/intake/leads/captured-lead'
import type { TxApp } from '../../context.ts'
import type { Changed } from '../inbound-deliveries/service.ts'
import { copyKeyOf, insertOrFindLead } from './duplicate-lead.ts'
import { toLeadRow, toPersonRow } from './enquiry-rows.ts'
import * as queries from './queries.ts'

interface RereadEnquiry {
  readonly enquiry: queries.EnquiryRow
  /** What the inquiry is read as now. */
  readonly lead: CapturedLead
  /** Lists what the replay corrects. */
  readonly changed: Changed[]
}

/**
 * Corrects an inquiry that was misread, and the lead that it created. An inquiry of another person than that of its lead
 * moves to the lead of its person. Returns the lead that has it afterwards, and whether it is new.
 */
export async function rereadEnquiry(app: TxApp, reread: RereadEnquiry): Promise<LeadOfEnquiry> {
  const { enquiry, changed } = reread
  const { workspace_id: workspaceId, lead_id: from } = enquiry
  const toRow = (lead: CapturedLead) => toLeadRow(app, workspaceId, lead)
  const [was, read] = [toRow(sentAs(enquiry)), toRow(reread.lead)]
  const others = await queries.listOtherEnquiries(app.db, { workspaceId, leadId: from, id: enquiry.id })
  const isFirst = others.every(({ id }) => id > enquiry.id)
  const { lead_id: id, isNew } = await leadFor(app, { from, was, read, isFirst })
  await correctEnquiry(app, reread, id)
  const isOwn = isFirst && id === from
  const corrected = await correctLead(app, { workspaceId, id, was: isOwn ? was : null, read, changed })
  if (isOwn && isOfAnother(was, read) && corrected.some((field) => field === 'email' || field === 'phone')) {
    const left = others.filter((other) => keyOf(toRow(sentAs(other))) === keyOf(was))
    await moveEnquiries(app, { left, changed })
  }
  if (id !== from && others.length === 0) await closeMisread(app, { workspaceId, from, to: id, changed })
  return { lead_id: id, isNew }
}

/** What identifies the person of a lead. */
const keyOf = ({ email_key, phone_key }: queries.ContactKeys) => email_key ?? phone_key

const isOfAnother = (was: queries.ContactKeys, read: queries.ContactKeys): boolean =>
  keyOf(was) !== null && keyOf(read) !== null && keyOf(was) !== keyOf(read)

/** An inquiry as it was read before. */
const sentAs = ({ notes, external_id, ...enquiry }: queries.EnquiryRow): CapturedLead => ({
  ...enquiry,
  message: notes,
  answers: [],
  handle: enquiry.phone,
  externalId: external_id,
})

interface LeadOfEnquiry {
  readonly lead_id: number
  readonly isNew: boolean
}

interface Reading {
  /** The lead that has it. */
  readonly from: number
  /** The lead that the inquiry was read as before, and is read as now. */
  readonly was: queries.NewLeadRow
  readonly read: queries.NewLeadRow
  /** Whether it is the first inquiry of its lead, which created it. */
  readonly isFirst: boolean
}

async function leadFor(app: TxApp, { from, was, read, isFirst }: Reading): Promise<LeadOfEnquiry> {
  const stays = { lead_id: from, isNew: false }
  if (keyOf(read) === null || keyOf(read) === keyOf(was)) return stays
  const open = await queries.findOpenLeadByKeys(app.db, read.workspace_id, read)
  if (open !== undefined) return { lead_id: open.id, isNew: false }
  return isFirst || !isOfAnother(was, read) ? stays : insertOrFindLead(app, read)
}

const fields = ['name', 'email', 'phone', 'company', 'notes'] as const
type Field = (typeof fields)[number]
type Person = Readonly<Record<Field, string | null>>

/** What a reading says that a row does not. A kept body has secrets masked, which were read before. */
const differing = (read: Person, row: Person): Field[] =>
  fields.filter((field) => read[field] !== null && read[field] !== row[field] && !read[field].includes(masked))

async function correctEnquiry(app: TxApp, { enquiry, lead, changed }: RereadEnquiry, lead_id: number): Promise<void> {
  const { workspace_id: workspaceId, id } = enquiry
  const read = toPersonRow(lead)
  const copyKey = copyKeyOf(lead)
  const copied = copyKey === null ? undefined : await queries.findEnquiryCopy(app.db, workspaceId, copyKey)
  const person = Object.fromEntries(differing(read, enquiry).map((field) => [field, read[field]]))
  const patch = { ...person, ...(lead_id === enquiry.lead_id ? {} : { lead_id }) }
  await queries.updateEnquiry(
    app.db,
    { workspaceId, id },
    { ...patch, copy_key: copied === undefined || copied.id === id ? copyKey : null },
  )
  for (const [field, to] of Object.entries(patch))
    changed.push({ resource: 'lead_enquiry', id, field, from: enquiry[field as Field | 'lead_id'], to })
}

interface CorrectedLead {
  readonly workspaceId: number
  readonly id: number
  /** What the misread inquiry wrote into the lead that it created. Null for the lead of another inquiry. */
  readonly was: Person | null
  readonly read: queries.NewLeadRow
  readonly changed: Changed[]
}

/** Fills what the lead lacks. What the misread inquiry said is replaced, unless a person has changed it since. */
async function correctLead(app: TxApp, { workspaceId, id, was, read, changed }: CorrectedLead): Promise<Field[]> {
  const ref = { workspaceId, id }
  const lead = await queries.findLead(app.db, workspaceId, id)
  if (lead === undefined) return []
  const open = await queries.findOpenLeadByKeys(app.db, workspaceId, read)
  const isFree = open === undefined || open.id === id
  const corrected = differing(read, lead).filter(
    (field) =>
      (isEmpty(lead, field) || (lead[field] === was?.[field] && !isEmpty(read, field))) &&
      (isFree || field !== 'email'),
  )
  if (corrected.length === 0) return []
  const keys = {
    ...(corrected.includes('email') && { email_key: read.email_key }),
    ...(corrected.includes('phone') && { phone_key: read.phone_key }),
  }
  const patch = Object.fromEntries(corrected.map((field) => [field, read[field]]))
  await queries.updateLead(app.db, ref, { ...patch, ...keys, updated_at: app.clock.now() })
  for (const field of corrected) changed.push({ resource: 'lead', id, field, from: lead[field], to: read[field] })
  return corrected
}

/** A lead without a name has its address or number as a name. */
const isEmpty = (lead: queries.NewLeadRow, field: Field): boolean =>
  lead[field] === null || (field === 'name' && [lead.email, lead.phone, 'Unknown'].includes(lead.name))

interface LeftEnquiries {
  /** The inquiries that are read like the misread one was, oldest first. */
  readonly left: readonly queries.EnquiryRow[]
  readonly changed: Changed[]
}

/** The lead is now that of another person, so the others that were read like the misread one get another lead. */
async function moveEnquiries(app: TxApp, { left, changed }: LeftEnquiries): Promise<void> {
  const first = left[0]
  if (first === undefined) return
  const { workspace_id: workspaceId } = first
  const { lead_id } = await insertOrFindLead(app, toLeadRow(app, workspaceId, sentAs(first)))
  for (const { id, lead_id: from } of left) {
    await queries.updateEnquiry(app.db, { workspaceId, id }, { lead_id })
    changed.push({ resource: 'lead_enquiry', id, field: 'lead_id', from, to: lead_id })
  }
}

interface MisreadLead {
  readonly workspaceId: number
  readonly from: number
  readonly to: number
  readonly changed: Changed[]
}

/** The misread lead has no inquiry left. Its notes name the lead that has it. */
async function closeMisread(app: TxApp, { workspaceId, from: id, to, changed }: MisreadLead): Promise<void> {
  const lead = await queries.findLead(app.db, workspaceId, id)
  if (lead?.status !== 'new') return
  const notes = [lead.notes, `Its inquiry was misread and belongs to lead ${to}.`].filter(Boolean).join('\n\n')
  await queries.updateLead(app.db, { workspaceId, id }, { status: 'lost', notes, updated_at: app.clock.now() })
  changed.push(
    { resource: 'lead', id, field: 'notes', from: lead.notes, to: notes },
    { resource: 'lead', id, field: 'status', from: lead.status, to: 'lost' },
  )
}
