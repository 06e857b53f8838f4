import { identifierAt } from '../../../../untrusted/json-path.ts'
import { collectFields } from '../form-fields.ts'
import { personFrom } from '../person.ts'
import { type LeadPlatform, oneLead } from './platform.ts'

const idKeys = ['lead_id', 'submission_id', 'submissionID', 'entry_id', 'response_id', 'external_id', 'id'] as const

// Ids say which enquiry this is and nothing about the person.
const isId = (question: string) => idKeys.some((key) => key === question)

/** The documented body (name, email, phone, company, message) and whatever a form builder makes of it. Takes everything. */
export const form: LeadPlatform = {
  name: 'form',
  recognises: () => true,
  read: (body) =>
    oneLead(personFrom(collectFields(body).filter(({ question }) => !isId(question))), identifierAt(body, ...idKeys)),
}
