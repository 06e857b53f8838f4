export * from './errors/details.ts'
export * from './errors/family.ts'
export { ServiceError } from './errors/service-error.ts'
