/** One page of a list, newest first: at most `limit` rows with an id below `before`. */
export interface Page {
  readonly limit: number
  readonly before?: number | undefined
}

export const largestPage = 200
export const defaultPage: Page = { limit: 50 }
