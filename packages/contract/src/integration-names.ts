import { gitProviders } from './values.ts'

/** Inbound integrations whose secret the platform issues, because it is only compared. */
export const secretIntegrations = ['errors', 'attendance'] as const
export type SecretIntegration = (typeof secretIntegrations)[number]

/** The inbound integrations of a workspace. Lead sources are separate. */
export const integrationNames = [...secretIntegrations, ...gitProviders] as const
export type IntegrationName = (typeof integrationNames)[number]
