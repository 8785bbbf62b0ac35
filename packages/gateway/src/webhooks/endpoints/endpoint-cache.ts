import { EVENT_CATEGORIES, type EventCategory, URL_FIELD_OF_CATEGORY } from '@parley/contract';
import type { Clock, SealedBox } from '#kernel';
import type { Bus } from '#platform/bus';
import type { FormattedWebhookRow, Store, WebhookRow } from '#platform/store';
import { isSending, readFormatted, readWebhook } from './endpoint-queries.ts';
import { openOptions, openSecret } from './signing.ts';

/** Format of webhooks that receive public events unchanged. */
export const OWN_FORMAT = '';

/** A webhook as an attempt needs it. */
export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly slotId: string;
  readonly phone: string;
  /** Format of its events, with the format's options. */
  readonly format: string;
  readonly options: string;
  /** Neither paused nor switched off. */
  readonly active: boolean;
  /** Empty where the category is not sent. */
  readonly urls: Readonly<Record<EventCategory, string>>;
  /** Those in force at `now`, the newest first. */
  secrets(now: number): readonly string[];
}

export interface EndpointCache {
  /** At once when it is known; undefined when there is no such webhook any more. */
  find(webhookId: string): Endpoint | undefined | Promise<Endpoint | undefined>;
  close(): void;
}

/** Says that a webhook was changed or deleted; carries its id. */
export const WEBHOOKS_TOPIC = 'webhooks';

/** How long a change made by another process may go unnoticed when the bus loses the word of it. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_MAX = 10_000;

interface Remembered {
  found: ReturnType<EndpointCache['find']>;
  readonly readAt: number;
}

/** Reads webhooks and remembers them for a moment, so that an attempt does not cost a query. */
export function createEndpointCache({
  store,
  bus,
  sealedBox,
  clock,
}: {
  store: Pick<Store, 'read'>;
  bus: Pick<Bus, 'subscribe'>;
  sealedBox: Pick<SealedBox, 'open'>;
  clock: Pick<Clock, 'monotonic'>;
}): EndpointCache {
  const known = new Map<string, Remembered>();
  const changes = bus.subscribe(WEBHOOKS_TOPIC, (id) => void known.delete(String(id)));

  async function read(id: string): Promise<Endpoint | undefined> {
    const row = await readWebhook(store.read, id);
    if (row) return toEndpoint(row, sealedBox);
    const formatted = await readFormatted(store.read, id);
    return formatted && toFormatted(formatted, sealedBox);
  }

  return {
    find(id) {
      const last = known.get(id);
      if (last && clock.monotonic() - last.readAt < REMEMBERED_MS) return last.found;
      if (known.size >= REMEMBERED_MAX) known.clear();
      const reading = read(id).then(
        (endpoint) => {
          remembered.found = endpoint;
          return endpoint;
        },
        (error: unknown) => {
          known.delete(id);
          throw error;
        },
      );
      const remembered: Remembered = { found: reading, readAt: clock.monotonic() };
      known.set(id, remembered);
      return reading;
    },
    close: changes.stop,
  };
}

function toEndpoint(row: WebhookRow, sealedBox: Pick<SealedBox, 'open'>): Endpoint {
  const current = openSecret(sealedBox, row.id, row.secret);
  const previous = row.previous_secret && openSecret(sealedBox, row.id, row.previous_secret);
  const previousUntil = row.previous_secret_until ?? 0;
  return {
    id: row.id,
    ...commonOf(row),
    format: OWN_FORMAT,
    options: '',
    secrets: (now) => (previous && now < previousUntil ? [current, previous] : [current]),
  };
}

function toFormatted(row: FormattedWebhookRow, sealedBox: Pick<SealedBox, 'open'>): Endpoint {
  const { id, format } = row;
  return {
    id,
    ...commonOf(row),
    format,
    options: openOptions(sealedBox, id, row.options),
    secrets: () => [],
  };
}

function commonOf(row: WebhookRow | FormattedWebhookRow) {
  const { account_id: accountId, slot_id: slotId, phone } = row;
  return { accountId, slotId, phone, active: isSending(row), urls: urlsOf(row) };
}

export function urlsOf(row: WebhookRow | FormattedWebhookRow): Record<EventCategory, string> {
  const urls = EVENT_CATEGORIES.map((category) => [category, row[URL_FIELD_OF_CATEGORY[category]]] as const);
  return Object.fromEntries(urls) as Record<EventCategory, string>;
}
