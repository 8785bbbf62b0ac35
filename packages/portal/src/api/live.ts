import { routes } from 'virtual:routes';
import { EVENT_KINDS, type EventKind, phoneOf } from '@parley/contract';
import { signal } from '@preact/signals';
import { after } from '../kernel/clock.ts';
import { addressOf } from './client.ts';

/** Event of one of the account's numbers, redacted as in the delivery log. */
export interface LiveEvent {
  readonly cursor: string;
  readonly kind: EventKind;
  readonly phone: string | null;
  readonly event: Readonly<Record<string, unknown>>;
}

export type LiveState = 'closed' | 'connecting' | 'open';

export interface Listener {
  readonly onEvent: (event: LiveEvent) => void;
  /** Called when events may have been missed, to reload what is shown. */
  readonly catchUp?: (() => void) | undefined;
}

/** Whether the page receives events. */
export const liveState = signal<LiveState>('closed');

const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let cancelRetry = (): void => {};
let last: string | undefined;

const RETRY_MS = 3_000;

/**
 * Receives all events from the moment the stream is open, when `catchUp` is called. All pages of this tab share one stream,
 * because a browser allows few connections per host; it is open while it has listeners.
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
  // From the second connection on, the browser resumes behind its last event.
  let isGapless = last !== undefined;
  opened.onopen = () => {
    liveState.value = 'open';
    if (!isGapless) for (const { catchUp } of listeners) catchUp?.();
    isGapless = true;
  };
  // The browser reconnects after a broken connection, but not after an answer that is no stream.
  opened.onerror = () => {
    liveState.value = 'connecting';
    if (opened.readyState === EventSource.CLOSED) cancelRetry = after(RETRY_MS, open);
  };
  for (const kind of EVENT_KINDS) opened.addEventListener(kind, (message) => dispatch(kind, message));
}

function dispatch(kind: EventKind, { data, lastEventId }: MessageEvent<string>): void {
  last = lastEventId;
  const event: Record<string, unknown> = JSON.parse(data);
  const phone = typeof event.session_id === 'string' ? phoneOf(event.session_id) : null;
  for (const { onEvent } of listeners) onEvent({ cursor: lastEventId, kind, phone, event });
}

function close(): void {
  cancelRetry();
  stream?.close();
  stream = undefined;
  last = undefined;
  liveState.value = 'closed';
}
