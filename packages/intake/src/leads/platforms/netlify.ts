import { identifierAt, isRecord, lineAt } from '../../sanitise/json-path.ts'
import { type LeadPlatform, leadFrom, remark } from './platform.ts'

/** `human_fields`, `ordered_human_fields`, `summary` and the fields beside them repeat what `data` says. */
export const netlify: LeadPlatform = {
  name: 'netlify',
  notes: {
    title: 'Netlify Forms',
    recognisedBy: '`data` with `human_fields` or `ordered_human_fields`',
    read: 'the fields of `data`; the form’s name as an answer',
  },
  recognises: ({ body }) =>
    isRecord(body['data']) && (isRecord(body['human_fields']) || Array.isArray(body['ordered_human_fields'])),
  read: (body) =>
    leadFrom(body['data'], { id: identifierAt(body, 'id'), remarks: remark('Form', lineAt(body, 'form_name')) }),
}
