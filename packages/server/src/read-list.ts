import type { App } from './context.ts'
import type { Page } from './page.ts'

/** One list of the administration's read side: newest first, page by page over ids. */
export type ReadList = (app: App, workspaceId: number, asked: Asked) => Promise<readonly { readonly id: number }[]>

/** Which page, and whatever else stands in the query string. */
export interface Asked extends Page {
  readonly query: Readonly<Record<string, string>>
}

/** One change that administration can make to a thing in a workspace. */
export type Act = (app: App, at: { readonly workspaceId: number; readonly id: number }) => Promise<object>
