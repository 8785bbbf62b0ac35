import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen, liveState } from './live.ts';

/** The part of `EventSource` that the stream uses. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static readonly all: FakeEventSource[] = [];
  readonly address: string;
  readyState = 0;
  onopen = (): void => {};
  onerror = (): void => {};

  constructor(address: string) {
    super();
    this.address = address;
    FakeEventSource.all.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  emit(lastEventId: string): void {
    const data = JSON.stringify({ session_id: '15550001001:1@s.whatsapp.net' });
    this.dispatchEvent(new MessageEvent('message', { data, lastEventId }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  FakeEventSource.all.length = 0;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const newest = (): FakeEventSource | undefined => FakeEventSource.all.at(-1);

/** Answers with something that is no stream, after which a browser stops reconnecting. */
function giveUp(): void {
  newest()?.close();
  newest()?.onerror();
  vi.runOnlyPendingTimers();
}

it('shares one stream among all listeners and closes it with the last', () => {
  const received: string[] = [];
  const leave = [1, 2].map((who) => listen({ onEvent: ({ cursor }) => received.push(`${who}: ${cursor}`) }));
  newest()?.onopen();
  newest()?.emit('a');
  expect(received).toEqual(['1: a', '2: a']);
  expect(FakeEventSource.all).toHaveLength(1);
  for (const each of leave) each();
  expect(newest()?.readyState).toBe(FakeEventSource.CLOSED);
  expect(liveState.value).toBe('closed');
});

it('calls `catchUp` when the stream opens, because events may have happened before', () => {
  const happened: string[] = [];
  const leave = listen({
    onEvent: ({ cursor }) => happened.push(cursor),
    catchUp: () => happened.push('caught up'),
  });
  expect([happened, liveState.value]).toEqual([[], 'connecting']);
  newest()?.onopen();
  newest()?.emit('a');
  // The browser reconnects and sends its last event id.
  newest()?.onerror();
  newest()?.onopen();
  newest()?.emit('b');
  expect([happened, liveState.value]).toEqual([['caught up', 'a', 'b'], 'open']);
  leave();
});

it('resumes a new stream behind the last event, and catches up when there was none', () => {
  const catchUp = vi.fn();
  const leave = listen({ onEvent: () => {}, catchUp });
  newest()?.onopen();
  giveUp();
  newest()?.onopen();
  expect(catchUp).toHaveBeenCalledTimes(2);
  newest()?.emit('a');
  giveUp();
  expect(newest()?.address).toMatch(/after=a$/);
  newest()?.onopen();
  expect(catchUp).toHaveBeenCalledTimes(2);
  leave();
});
