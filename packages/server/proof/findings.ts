/** One guarantee of a proof, with its measurement. */
export interface Finding {
  readonly what: string
  readonly wanted: string
  readonly measured: string
  readonly isMet: boolean
}

export const exactly = (what: string, wanted: number | string, measured: number | string): Finding => ({
  what,
  wanted: String(wanted),
  measured: String(measured),
  isMet: wanted === measured,
})
