import { checkInput } from '../check-input.ts'
import type { App } from '../context.ts'
import * as again from '../modules/webhooks/again-service.ts'
import { curlOf } from '../modules/webhooks/curl-service.ts'
import { NewSubscription, Rotation, Since, SubscriptionPatch, TestEvent } from '../modules/webhooks/input.ts'
import type { DeliveryFilter } from '../modules/webhooks/log-queries.ts'
import * as log from '../modules/webhooks/log-service.ts'
import * as secrets from '../modules/webhooks/secret-service.ts'
import * as subscriptions from '../modules/webhooks/service.ts'
import * as switches from '../modules/webhooks/switch-service.ts'
import { defaultPage, type Page } from '../page.ts'
import { at, type Place } from './place.ts'

/** Who is told about events, and what became of telling them. */
export const webhooksAdmin = (app: App) => ({
  webhooks: {
    /** The secret is in this answer and nowhere else. */
    create: async (input: NewSubscription) => subscriptions.createSubscription(app, checkInput(NewSubscription, input)),
    list: (workspaceId: number, page: Page = defaultPage) => subscriptions.listSubscriptions(app, workspaceId, page),
    get: (place: Place) => subscriptions.getSubscription(app, at(place)),
    update: async (place: Place, patch: SubscriptionPatch) =>
      subscriptions.updateSubscription(app, at(place), checkInput(SubscriptionPatch, patch)),
    enable: (place: Place) => switches.enableSubscription(app, at(place)),
    disable: (place: Place) => switches.disableSubscription(app, at(place)),
    delete: (place: Place) => switches.deleteSubscription(app, at(place)),
    /** The new secret is in this answer and nowhere else; the old one signs beside it for 24 hours, or as told. */
    rotateSecret: async (place: Place, rotation: Rotation = {}) =>
      secrets.rotateSecret(app, at(place), checkInput(Rotation, rotation)),
    revokePreviousSecret: (place: Place) => secrets.revokePreviousSecret(app, at(place)),
    /** An example of the event, marked as a test, on the way that all events go. */
    sendTest: async (place: Place, input: TestEvent) => again.sendTest(app, at(place), checkInput(TestEvent, input)),
    /** Sends again what was given up or held since then; `countRecoverable` says beforehand how much that is. */
    recover: async (place: Place, input: Since) => again.recoverDeliveries(app, at(place), checkInput(Since, input)),
    countRecoverable: async (place: Place, input: Since) =>
      again.countRecoverable(app, at(place), checkInput(Since, input)),
    /** Sends events since then that the subscription asks for and never had. */
    replayMissing: async (place: Place, input: Since) => again.replayMissing(app, at(place), checkInput(Since, input)),
    countMissing: async (place: Place, input: Since) => again.countMissing(app, at(place), checkInput(Since, input)),
    /** Progress of `recover`, `replayMissing` and of holding what waits for a disabled subscription. */
    jobs: (workspaceId: number, page: Page = defaultPage) => again.listJobs(app, workspaceId, page),
    job: (place: Place) => again.getJob(app, at(place)),
  },
  deliveries: {
    /** One entry per event and subscription, newest first. */
    list: (
      { workspace_id, ...filter }: { readonly workspace_id: number } & Omit<DeliveryFilter, 'workspaceId'>,
      page: Page = defaultPage,
    ) => log.listDeliveries(app, { workspaceId: workspace_id, ...filter }, page),
    get: (place: Place) => log.getDelivery(app, at(place)),
    /** The requests that were made for a delivery, newest first. */
    attempts: (place: Place) => log.listAttempts(app, at(place)),
    /** The request as a line of curl with a valid signature, to try a receiver by hand. */
    curl: (place: Place) => curlOf(app, at(place)),
    /** Sends it once more, also when it had succeeded. */
    resend: (place: Place) => again.resendDelivery(app, at(place)),
  },
})
