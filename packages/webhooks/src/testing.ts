export { fakeClock } from './testing/fake-clock.ts'
export { fixtures } from './testing/fixtures.ts'
export {
  type DeliveryOverrides,
  type SignedDelivery,
  signedDelivery,
  signedRequest,
  testSecret,
} from './testing/signed-delivery.ts'
