import type { Server } from '../server.ts'
import type { Interception } from './intercept.ts'
import type { TestControls } from './test-controls.ts'

/** A running platform in the hands of a test. */
export interface TestServer extends Server, TestControls {
  /**
   * Answers what `globalThis.fetch` is asked from these origins, until the interception is disposed of or the server
   * closes. The latest server that takes an origin gets it.
   *
   * @example
   * using _ = server.intercept('https://api.example.com')
   */
  intercept(origin: string | readonly string[]): Interception
  /**
   * The address of a page that shows what this server holds and was asked, and moves its clock. It needs no password.
   * Opens a port where none is.
   */
  dashboardUrl(): Promise<string>
  /** Another server with the same state, which goes its own way from here. */
  fork(): Promise<TestServer>
}
