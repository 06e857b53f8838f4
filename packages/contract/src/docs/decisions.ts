import type { Decision } from '../route-docs.ts'

// Decisions that several operations share.

export const openValues = (field: string, known: string): Decision => ({
  question: `Allowed values of ${field}`,
  answer: `Known: ${known}. Other strings of 1–64 characters are accepted too.`,
  option: "validation: 'strict'",
})

export const createdStatus: Decision = {
  question: 'Status of success: 201 in the description, 200 in the sample',
  answer: '201',
  option: 'createdStatus: 200',
}

export const wrongSecret: Decision = {
  question: 'Status of a wrong or missing secret',
  answer: '401 `Invalid webhook secret.`; 404 if the integration is disabled or has never had a secret',
}

export const paging: Decision = {
  question: 'Pagination, filters, and sorting',
  answer: 'None. Query parameters are ignored, and the contract check reports them.',
}

export const transitions: Decision = {
  question: 'Changes after creation (update, delete, transitions)',
  answer: 'Not part of the API. `server.admin` changes objects and emits the events.',
}

export const priorityValues = openValues('priority', 'low, medium (the default), high, urgent')
