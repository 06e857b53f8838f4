/** `TKT-` and the number, zero-padded to at least five digits. */
export const toTicketNumber = (number: number) => `TKT-${String(number).padStart(5, '0')}`
