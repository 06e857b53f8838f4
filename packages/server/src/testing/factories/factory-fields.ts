import type { LeadSource, NewLead } from '@service/client'
import type {
  DealInput,
  DeviceInput,
  EmployeePatch,
  IntegrationName,
  Mapping,
  MemberRole,
  ProjectInput,
  RuleInput,
  Scope,
  SlaPolicyInput,
  SubscriptionSettings,
  TaskInput,
  TicketInput,
  TicketPatch,
  WorkspaceInput,
} from '@service/client/admin'

// What factories and seeds take. Spelled out for those who write tests: what is inferred from the schemas would bring zod
// into their editor. `public-types.test.ts` fails to compile when the two part.

/** Something that exists already: its id, an object that has one, or its name (of a member: the e-mail address). */
export type Ref = number | string | { readonly id: number }

/** Everything may be left out. */
type Optional<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

/** Fields that refer to something that exists. `project` and `project_id` mean the same. */
type Refs<Field extends string> = { readonly [Each in Field]?: Ref | null | undefined }

/** Something in a workspace: the oldest one when left out. What else it needs is found, or made once per workspace. */
export interface WorkspacePart extends Refs<'workspace' | 'workspace_id'> {
  /** An instant with an offset. Everything that is counted from the creation follows it; the server's time when left out. */
  readonly created_at?: string | undefined
}

/** Something with an id of its own. */
export interface NumberedPart extends WorkspacePart {
  /** Pins the id. Ids only grow; one that is taken is a `conflict`. */
  readonly id?: number | undefined
}

/** A workspace. */
export interface WorkspaceFields extends Optional<WorkspaceInput>, Pick<NumberedPart, 'id' | 'created_at'> {}

/** A person in a workspace; the id is the user's. */
export interface MemberFields extends NumberedPart {
  name?: string | undefined
  email?: string | undefined
  /** `member` when left out. */
  role?: MemberRole | undefined
}

/** An API token; it acts as `user`, a member, the oldest one when left out. */
export interface TokenFields extends NumberedPart, Refs<'user' | 'user_id'> {
  name?: string | undefined
  /** Every scope that works when left out. */
  scopes?: Scope[] | undefined
  /** An instant with an offset; never when left out. */
  expires_at?: string | null | undefined
  /** Pins the text: `service_test_` and 1–64 letters, digits, `_` or `-`. */
  token?: string | undefined
}

/** How fast tickets of a priority must be answered and resolved, in minutes. What is left out is not promised. */
export interface SlaPolicyFields extends WorkspacePart, SlaPolicyInput {
  /** `high` when left out. */
  priority?: string | undefined
}

/** A project. Days are `YYYY-MM-DD`. */
export interface ProjectFields extends NumberedPart, Optional<ProjectInput> {}

/** A company that deals are made with. */
export interface AccountFields extends NumberedPart {
  name?: string | undefined
}

/** A channel for messages. */
export interface ChannelFields extends NumberedPart {
  /** `general` for the first. */
  name?: string | undefined
}

/** A ticket, with the number, service levels and rules that any ticket gets; created by the oldest member when left out. */
export interface TicketFields
  extends NumberedPart,
    Optional<Omit<TicketInput, 'assigned_to' | 'project_id' | 'created_by'>>,
    Pick<TicketPatch, 'status'>,
    Refs<'assigned_to' | 'project' | 'project_id' | 'created_by'> {
  /** When the status became what it is, where that is not `open`; an instant with an offset. */
  updated_at?: string | undefined
}

/** A task; `parent` is the task that it is a part of. It is created by the oldest member when left out. */
export interface TaskFields
  extends NumberedPart,
    Optional<Omit<TaskInput, 'project_id' | 'ticket_id' | 'parent_id' | 'assigned_to' | 'created_by'>>,
    Refs<'project' | 'project_id' | 'ticket' | 'ticket_id' | 'parent' | 'parent_id' | 'assigned_to' | 'created_by'> {}

/** A message in a channel, by a member: the oldest one when left out. */
export interface MessageFields extends NumberedPart, Refs<'channel' | 'channel_id' | 'author' | 'author_id'> {
  body?: string | undefined
}

/** A deal; its owner is a member. */
export interface DealFields
  extends NumberedPart,
    Optional<Omit<DealInput, 'account_id' | 'owner_id'>>,
    Refs<'account' | 'account_id' | 'owner' | 'owner_id'> {}

/** A lead source with a secret. */
export interface LeadSourceFields extends WorkspacePart {
  /** `website` when left out. */
  source?: LeadSource | undefined
  /** Whether leads are taken from it; true when left out. */
  active?: boolean | undefined
  /** Pins the secret. */
  secret?: string | undefined
  /** How its bodies are read. */
  mapping?: Mapping | undefined
}

/** A lead. */
export interface LeadFields extends NumberedPart, Optional<NewLead> {
  /** Anything but `new` is a move after the creation. */
  status?: 'new' | 'contacted' | 'qualified' | 'converted' | 'lost' | (string & {}) | undefined
}

/** The profile of `user`, a member without one, or of a person who becomes one (`name` and `email`). */
export interface EmployeeFields extends NumberedPart, EmployeePatch, Refs<'user' | 'user_id'> {
  name?: string | null | undefined
  email?: string | null | undefined
}

/** An attendance device with a secret of its own. */
export interface DeviceFields extends NumberedPart, Optional<DeviceInput> {
  /** Pins the secret. */
  secret?: string | undefined
}

/** A punch of an employee at a device. */
export interface PunchFields extends NumberedPart, Refs<'employee' | 'employee_id' | 'device' | 'device_id'> {
  /** `toggle` when left out. */
  direction?: 'in' | 'out' | 'toggle' | null | undefined
  /** When it was made, an instant with an offset; the server's time when left out. */
  timestamp?: string | null | undefined
}

/** An inbound integration with its secret. */
export interface IntegrationFields extends WorkspacePart {
  /** `errors` when left out. */
  kind?: IntegrationName | undefined
  /** True when left out. */
  enabled?: boolean | undefined
  /** Git: whether an opened issue becomes a ticket. */
  open_tickets?: boolean | undefined
  /** Pins the secret. A Git provider has none when left out. */
  secret?: string | undefined
  /** Error reports and attendance: how their bodies are read. */
  mapping?: Mapping | undefined
}

/** An error as an application reports it: counted on its ticket, or a new one. */
export interface ErrorReportFields extends WorkspacePart {
  message?: string | null | undefined
  exception?: string | null | undefined
  file?: string | null | undefined
  line?: number | undefined
  url?: string | null | undefined
  app?: string | null | undefined
  environment?: string | null | undefined
  severity?: string | null | undefined
}

/** A rule; without anything it tags every new ticket. */
export interface RuleFields extends NumberedPart, Optional<RuleInput> {}

/** A subscription to outbound events, to all of them when none are named. */
export interface SubscriptionFields extends NumberedPart, Optional<SubscriptionSettings> {
  /** Pins what deliveries are signed with. */
  secret?: string | undefined
}
