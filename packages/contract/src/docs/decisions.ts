import type { Decision } from '../route-docs.ts'

// Decisions that several operations share.

export const openValues = (field: string, known: string): Decision => ({
  question: `Allowed values of ${field}`,
  answer: `Known: ${known}. Any other text of 1–64 characters is taken too.`,
  option: "validation: 'strict'",
})

export const createdStatus: Decision = {
  question: 'Status of success: 201 in the description, 200 in the sample',
  answer: '201',
  option: 'createdStatus: 200',
}

export const wrongSecret: Decision = {
  question: 'Status of a wrong or missing secret',
  answer: '401 `Invalid webhook secret.`; 404 where the integration is off or no secret was ever issued',
}

export const paging: Decision = {
  question: 'Paging, filtering and sorting',
  answer: 'None. Query parameters are ignored, and the contract check reports them.',
}

export const transitions: Decision = {
  question: 'What happens after creation (update, delete, transitions)',
  answer: 'Not in the API. `server.admin` updates, with the events that follow.',
}

export const priorityValues = openValues('priority', 'low, medium (the default), high, urgent')
