import { readTitle } from '../heuristics/title.ts'
import { isObject, type JsonObject, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import type { Format } from './format.ts'

// Trackers announce errors in the shape that chats take: attachments (Slack, Mattermost, GlitchTip) or embeds (Discord).

const cardsOf = (report: JsonObject): readonly JsonObject[] =>
  objectsOf(report['attachments'] ?? report['embeds']).filter((card) => textOf(card['title']) !== null)

/** The value of the field with this title, however it is written. */
const fieldOf = (card: JsonObject, title: string): unknown =>
  pick(
    objectsOf(card['fields']).find((field) => textOf(pick(field, 'title', 'name'))?.toLowerCase() === title),
    'value',
  )

export const chatAlert: Format = {
  name: 'chat-alert',
  about: {
    title: 'chat alerts',
    by: '`attachments[]` or `embeds[]` with a title',
    message: 'of the title',
    exception: 'of the title',
    place: '–',
    context: 'fields Project · Environment · Level',
  },
  recognises: (report) => !isObject(report['error']) && !isObject(report['exception']) && cardsOf(report).length > 0,
  read: (report) =>
    cardsOf(report).map((card) =>
      toRecord({
        ...readTitle(textOf(card['title']) ?? ''),
        url: pick(card, 'title_link', 'titleLink', 'url'),
        environment: fieldOf(card, 'environment'),
        app: fieldOf(card, 'project'),
        severity: fieldOf(card, 'level'),
      }),
    ),
}
