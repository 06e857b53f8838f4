import { liveScopes } from '@service/contract'
import { memberRoles } from '@service/contract/admin/people-input'
import * as z from 'zod/mini'
import { addMember, NewMember } from '../../../modules/members/service.ts'
import { createChannel, NewChannel, NewMessage, postMessage } from '../../../modules/messages/service.ts'
import { createToken, NewToken } from '../../../modules/tokens/service.ts'
import { isPinnedToken } from '../../../modules/tokens/token-text.ts'
import { createWorkspace, NewWorkspace } from '../../../modules/workspaces/service.ts'
import { defineFactory } from '../define-factory.ts'
import { sample } from '../sample.ts'

export const workspace = defineFactory({
  kind: 'workspace',
  shape: { ...NewWorkspace.shape, name: z.optional(NewWorkspace.shape.name) },
  make: (app, { name, time_zone, currency }, n) =>
    createWorkspace(app, { name: name ?? `Workspace ${n}`, time_zone, currency }),
})

/** The id is the user's. */
export const member = defineFactory({
  kind: 'member',
  shape: {
    name: z.optional(NewMember.shape.name),
    email: z.optional(NewMember.shape.email),
    role: z.optional(z.enum(memberRoles)),
  },
  make: (app, { workspace_id, name, email, role = 'member' }, n) =>
    addMember(app, { workspace_id, name: name ?? sample.person(n), email: email ?? sample.email(n), role }),
})

export const token = defineFactory({
  kind: 'token',
  shape: {
    name: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    scopes: z.optional(NewToken.shape.scopes),
    expires_at: NewToken.shape.expires_at,
    /** Fixes the token's text. */
    token: z.optional(
      z
        .string()
        .check(z.refine(isPinnedToken, { error: "must be 'service_test_' and 1–64 letters, digits, '_' or '-'" })),
    ),
  },
  relations: { user_id: 'member' },
  needs: ['user_id'],
  make: (app, { workspace_id, user_id, token, name = 'API token', scopes = [...liveScopes], expires_at = null }) =>
    createToken(app, { workspace_id, user_id: user_id ?? 0, name, scopes, expires_at }, token),
})

export const channel = defineFactory({
  kind: 'channel',
  shape: { name: z.optional(NewChannel.shape.name) },
  make: (app, { workspace_id, name }, n) =>
    createChannel(app, { workspace_id, name: name ?? (n === 1 ? 'general' : `channel-${n}`) }),
})

export const message = defineFactory({
  kind: 'message',
  shape: { body: z.optional(NewMessage.shape.body) },
  relations: { channel_id: 'channel', author_id: 'member' },
  needs: ['channel_id', 'author_id'],
  make: (app, { workspace_id, channel_id, author_id, body }, n) =>
    postMessage(app, { workspace_id, channel_id: channel_id ?? 0, author_id, body: body ?? `Message ${n}` }),
})
