/** A deployment of the platform, and what may be used there. */
export interface ConformanceTarget {
  /** Ends in `/api/v1`. */
  readonly baseUrl: string
  /** Ends in `/api`. */
  readonly webhookBaseUrl: string
  readonly workspace: number
  readonly token: string
  /** A token of the same workspace without `tickets:read`, to see a 403. */
  readonly narrowToken?: string | undefined
  /** Inbound secrets; the checks that need one are left out without it. */
  readonly secrets: {
    readonly errors?: string | undefined
    readonly attendance?: string | undefined
    /** Of the lead source `website`. */
    readonly leads?: string | undefined
  }
  /** An employee and a device whose punches may be recorded. */
  readonly employeeCode?: string | undefined
  readonly deviceId?: number | undefined
  readonly fetch: (request: Request) => Promise<Response>
}
