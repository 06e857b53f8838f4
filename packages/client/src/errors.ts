export * from './errors/details.ts'
export * from './errors/family.ts'
export { isServiceError, ServiceError } from './errors/service-error.ts'
