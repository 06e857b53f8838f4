import { identifierAt, isRecord, lineAt, recordAt } from '../../sanitise/json-path.ts'
import { type LeadPlatform, leadFrom, remark } from './platform.ts'

/** Version 1 sends the submission itself, version 2 puts it under `payload`. `name` is the form's. */
export const webflow: LeadPlatform = {
  name: 'webflow',
  notes: {
    title: 'Webflow, v1 and v2',
    recognisedBy: '`payload.data` with `payload.formId` or `siteId`; `data` with `site`',
    read: 'the fields of `data` by their names; the form’s name as an answer',
  },
  recognises: ({ body }) => {
    const form = recordAt(body, 'payload') ?? body
    return isRecord(form['data']) && lineAt(form, 'formId', 'siteId', 'site') !== null && lineAt(form, 'name') !== null
  },
  read: (body) => {
    const form = recordAt(body, 'payload') ?? body
    return leadFrom(form['data'], {
      id: identifierAt(form, 'id', '_id'),
      remarks: remark('Form', lineAt(form, 'name')),
    })
  },
}
