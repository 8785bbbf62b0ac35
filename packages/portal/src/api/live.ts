import { routes } from 'virtual:routes';
import { EVENT_KINDS, type EventKind, phoneOf } from '@parley/contract';
import { signal } from '@preact/signals';
import { after } from '../kernel/clock.ts';
import { addressOf } from './client.ts';

/** Something that happened on one of the account's numbers, as the delivery log keeps it: redacted. */
export interface LiveEvent {
  readonly cursor: string;
  readonly kind: EventKind;
  readonly phone: string | null;
  readonly event: Readonly<Record<string, unknown>>;
}

export type LiveState = 'closed' | 'connecting' | 'open';

export interface Listener {
  readonly hear: (event: LiveEvent) => void;
  /** Things may have happened unheard: time to look at what there is. */
  readonly catchUp?: (() => void) | undefined;
}

/** Whether what is shown is what happens. */
export const liveState = signal<LiveState>('closed');

const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let cancelRetry = (): void => {};
let last: string | undefined;

const RETRY_MS = 3_000;

/**
 * Hears everything that happens once the stream is open, which `catchUp` tells. All pages of this tab share one stream, because a browser
 * gives few connections to a host; it is open while somebody listens.
 */
export function listen(listener: Listener): () => void {
  listeners.add(listener);
  if (stream === undefined) open();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) close();
  };
}

function open(): void {
  const [, path] = routes.streamActivity ?? [];
  if (path === undefined) return;
  liveState.value = 'connecting';
  const opened = new EventSource(addressOf(path, {}, { after: last }));
  stream = opened;
  // From the second time on, the browser goes on where the connection broke.
  let isGapless = last !== undefined;
  opened.onopen = () => {
    liveState.value = 'open';
    if (!isGapless) for (const { catchUp } of listeners) catchUp?.();
    isGapless = true;
  };
  // The browser reconnects by itself after a broken connection, but gives up after an answer that is no stream.
  opened.onerror = () => {
    liveState.value = 'connecting';
    if (opened.readyState === EventSource.CLOSED) cancelRetry = after(RETRY_MS, open);
  };
  for (const kind of EVENT_KINDS) opened.addEventListener(kind, (message) => tell(kind, message));
}

function tell(kind: EventKind, { data, lastEventId }: MessageEvent<string>): void {
  last = lastEventId;
  const event: Record<string, unknown> = JSON.parse(data);
  const phone = typeof event.session_id === 'string' ? phoneOf(event.session_id) : null;
  for (const { hear } of listeners) hear({ cursor: lastEventId, kind, phone, event });
}

function close(): void {
  cancelRetry();
  stream?.close();
  stream = undefined;
  last = undefined;
  liveState.value = 'closed';
}
