/** Where something belongs: the numeric id of a workspace. */
export interface InWorkspace {
  workspace: number
}

/** One thing of a workspace. */
export interface ById extends InWorkspace {
  id: number
}

/** Which page of a list. */
export interface PageQuery {
  /** At most so many rows, 1 to 200. Default 50. */
  limit?: number | undefined
  /** Only rows with a smaller id; `next_before` of the page before. */
  before?: number | undefined
}

/** One page of a list, newest first. */
export interface Page<Row> {
  data: Row[]
  /** What `before` of the next page is; null on the last. */
  next_before: number | null
}

/** A list that has no pages. */
export interface List<Row> {
  data: Row[]
}

/** The id of what was changed, where there is nothing else to say. */
export interface Changed {
  id: number
}
