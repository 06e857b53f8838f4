export type { GitProvider, LeadSource, PunchAction, PunchDirection } from '@service/contract/values'
export type { Call, CallMeta, FailureMeta, SafeResult, WithMeta } from './call.ts'
export type { CallOptions, CreateOptions, QueryValue } from './call-options.ts'
export { type CaptureOptions, captureErrors } from './capture/capture-errors.ts'
export { type ErrorContext, type ErrorReport, toErrorReport } from './capture/to-error-report.ts'
export type { Fetch } from './client-options.ts'
// Not from `errors.ts`, the entry: bundlers would split an empty file off for it.
export * from './errors/details.ts'
export * from './errors/family.ts'
export { ServiceError } from './errors/service-error.ts'
export type { ClientEvent, OnEvent } from './events.ts'
export type { ClientHooks } from './hooks.ts'
export type {
  AttendancePing,
  InboundAttendance,
  PunchReceipt,
  ReceivedPunch,
  ReceivedUnmatchedPunch,
} from './inbound/attendance.ts'
export { createInboundClient, type InboundClient } from './inbound/create-inbound-client.ts'
export type { ErrorReceipt, InboundErrors } from './inbound/errors.ts'
export type { GitPing, GitReceipt, GitSendOptions, InboundGit } from './inbound/git.ts'
export type { InboundClientOptions, InboundSecrets } from './inbound/inbound-options.ts'
export type { CapturedLead, InboundLeads, LeadReceipt, LeadsPing } from './inbound/leads.ts'
export type { Ping } from './inbound/ping.ts'
export type { Device, NewPunch, RecordedPunch, UnmatchedPunch } from './resources/hrms.ts'
export type { Token } from './token-source.ts'
export type { AppInfo } from './user-agent.ts'
