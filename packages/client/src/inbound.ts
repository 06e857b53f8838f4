export type { GitProvider, KnownLeadSource } from '@service/contract/values'
export type {
  Device,
  LeadSource,
  NewPunch,
  PunchAction,
  PunchDirection,
  RecordedPunch,
  UnmatchedPunch,
} from './api-types.ts'
export { type CaptureOptions, captureErrors } from './capture/capture-errors.ts'
export { type ErrorContext, type ErrorReport, toErrorReport } from './capture/to-error-report.ts'
export * from './common-exports.ts'
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
export type { Logger } from './logger.ts'
export type { Token } from './token-source.ts'
export type { AppInfo } from './user-agent.ts'
