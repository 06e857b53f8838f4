import type { SavedView } from '@service/contract/admin/people-input'
import { TicketQuery } from '@service/contract/admin/work-input'
import { checkQuery } from '../../core/check-input.ts'
import { ApiError, validation } from '../../core/errors.ts'

const queryOf = { tickets: TicketQuery } as const

/** Refuses a view that the API of its list would refuse. Empty parameters are not sent to it. */
export function checkViewQuery({ list, query }: SavedView, field = 'query'): void {
  const sent = [...new URLSearchParams(query)].filter(([, value]) => value !== '')
  try {
    checkQuery(queryOf[list], Object.fromEntries(sent))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw validation({ [field]: Object.values(error.errors ?? {}).flat() })
  }
}
