import type { User } from '@service/client/admin'
import { formatInstant, formatInstantOrNull } from '../../core/instants.ts'
import { toBoolean } from '../../store/columns.ts'
import type { UserRow } from './queries.ts'

/** A person as they may be shown: without the hash of their password. */
export const toUser = ({ password_hash, is_instance_admin, disabled_at, created_at, ...row }: UserRow): User => ({
  ...row,
  is_instance_admin: toBoolean(is_instance_admin),
  has_password: password_hash !== null,
  disabled_at: formatInstantOrNull(disabled_at),
  created_at: formatInstant(created_at),
})
