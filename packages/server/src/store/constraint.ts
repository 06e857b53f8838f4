/** Whether a statement was refused because it would break a unique index. */
export function isUniqueViolation(fault: unknown): boolean {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === '23505'
}

/** Whether a statement was refused because rows refer to what it would delete. */
export function isForeignKeyViolation(fault: unknown): boolean {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
  return code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === '23503'
}
