/** What the load process is asked to do. It crosses a process boundary, so it is plain data. */
export interface Plan {
  readonly origin: string
  /** How many requests are under way at any moment, each on its own connection. */
  readonly clients: number
  readonly seconds: number
  /** Sent in turn. */
  readonly requests: readonly PlannedRequest[]
}

export interface PlannedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly expectedStatus: number
}

/** What came of it. */
export interface Outcome {
  readonly requests: number
  readonly seconds: number
  /** Answers with another status, by status; any at all makes the measurement worthless. */
  readonly unexpected: Readonly<Record<string, number>>
}
