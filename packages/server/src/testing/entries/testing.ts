// The entry point `@service/server/testing`.

export type { EventName, EventPattern, Scope } from '@service/client/admin'
export type { Admin, Clock, ConfigOptions, Ids, Log, Server, ServerHooks, ServerOptions } from '../../index.ts'
export type { ObjectOverrides, TriggerOverrides } from '../../modules/webhooks/trigger-input.ts'
export type { ClockControl, Instant } from '../clock-control.ts'
export type { ContractMode, ContractOptions, Strictness } from '../contract/contract-violations.ts'
export type { SchemaProblem, Violation } from '../contract/violation.ts'
export { createTestServer } from '../create-test-server.ts'
export type { Duration } from '../duration.ts'
export type { Create, CreateMany, Factories } from '../factories/factories.ts'
export type * from '../factories/factory-fields.ts'
export type { FactoryTypes, FieldsOf, MadeOf } from '../factories/factory-types.ts'
export type { ActiveFault, ConnectionFault, Damage, Fault, FaultAnswer, Latency } from '../faults/fault.ts'
export type { FaultOptions, Faults } from '../faults/faults.ts'
export type { LimitControl, QuirkControl, Quirks } from '../faults/runtime-settings.ts'
export type { Interception } from '../intercept.ts'
export type { ExpectedRequest } from '../journal/expected-request.ts'
export type { ExpectOptions, Journal, JournalOptions, RequestControls } from '../journal/journal.ts'
export type { JournalEntry, RequestAuth, RowChange } from '../journal/journal-entry.ts'
export type { WaitOptions } from '../journal/wait.ts'
export { TimeoutError } from '../journal/wait.ts'
export type { OperationName, RequestMatch, Transport } from '../observed-request.ts'
export type { RunnerHooks } from '../runners/current-service.ts'
export { startForTests, type TestContext, useService } from '../runners/current-service.ts'
export type { Service, ServiceOptions } from '../runners/service.ts'
export { type Seed, type SeedData, SeedError, type SeedWorkspace } from '../seeds/seed.ts'
export type { Seeded, SeededWorkspace } from '../seeds/seed-state.ts'
export type { TestServerOptions } from '../server-options.ts'
export type { TestServer } from '../test-controls.ts'
export type { IssuedToken, TokenControl, TokenOptions } from '../tokens.ts'
export type { CaptureOptions } from '../webhooks/capture.ts'
export type { Arrival, CapturedEvent, EventPayload } from '../webhooks/captured-event.ts'
export type { DeliveryFault } from '../webhooks/delivery-fault-rule.ts'
export type { ActiveDeliveryFault } from '../webhooks/delivery-faults.ts'
export type { ReceiveRequest } from '../webhooks/in-process-receivers.ts'
export type { InboundRequest, InboundSender } from '../webhooks/inbound-request.ts'
export type {
  Inbox,
  InboxResponse,
  InboxResponseFault,
  InboxResponseParts,
  LoggedDelivery,
  NextOptions,
} from '../webhooks/inbox.ts'
export type { LocalReceiver, TriggerEvent, WebhookControl } from '../webhooks/webhook-control.ts'
