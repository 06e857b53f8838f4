import type { App } from './context.ts'
import type { Page } from './page.ts'

/** One list of the administration's read side: newest first, page by page over ids. */
export type ReadList = (app: App, workspaceId: number, page: Page) => Promise<readonly { readonly id: number }[]>

/** One change that administration can make to a thing in a workspace. */
export type Act = (app: App, at: { readonly workspaceId: number; readonly id: number }) => Promise<object>
