import type * as z from 'zod/mini'
import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import { MemberPatch, NewMember } from '../modules/members/input.ts'
import * as members from '../modules/members/service.ts'
import { NewToken } from '../modules/tokens/input.ts'
import * as tokens from '../modules/tokens/service.ts'
import { NewWorkspace } from '../modules/workspaces/input.ts'
import * as workspaces from '../modules/workspaces/service.ts'
import { at, type Place } from './place.ts'

/** Workspaces, who is in them, and the tokens that act for them. */
export const peopleAdmin = (app: App) => ({
  workspaces: {
    create: async (input: z.input<typeof NewWorkspace>) =>
      workspaces.createWorkspace(app, checkInput(NewWorkspace, input)),
    list: () => workspaces.listWorkspaces(app),
    get: (id: number) => workspaces.getWorkspace(app, id),
  },
  members: {
    add: async (input: NewMember) => members.addMember(app, checkInput(NewMember, input)),
    list: (workspaceId: number) => members.listMembers(app, workspaceId),
    /** `id` is the user's. */
    update: async ({ workspace_id, id }: Place, patch: MemberPatch) =>
      members.updateMember(app, { workspaceId: workspace_id, userId: id }, checkInput(MemberPatch, patch)),
  },
  tokens: {
    /** The token's text is in this answer and nowhere else. */
    create: async (input: NewToken) => tokens.createToken(app, checkInput(NewToken, input)),
    list: (workspaceId: number) => tokens.listTokens(app, workspaceId),
    /** Works at once. */
    revoke: (place: Place) => tokens.revokeToken(app, at(place)),
  },
})
