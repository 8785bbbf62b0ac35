import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen, liveState } from './live.ts';

/** As far as the stream uses it. */
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

  tell(lastEventId: string): void {
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

/** The gateway answers with something that is no stream, after which a browser gives up. */
function giveUp(): void {
  newest()?.close();
  newest()?.onerror();
  vi.runOnlyPendingTimers();
}

it('all listeners share a stream, and the last one closes it', () => {
  const heard: string[] = [];
  const leave = [1, 2].map((who) => listen({ hear: ({ cursor }) => heard.push(`${who}: ${cursor}`) }));
  newest()?.onopen();
  newest()?.tell('a');
  expect(heard).toEqual(['1: a', '2: a']);
  expect(FakeEventSource.all).toHaveLength(1);
  for (const each of leave) each();
  expect(newest()?.readyState).toBe(FakeEventSource.CLOSED);
  expect(liveState.value).toBe('closed');
});

it('whoever listens is told when it is open, because something may have happened before', () => {
  const happened: string[] = [];
  const leave = listen({
    hear: ({ cursor }) => happened.push(cursor),
    catchUp: () => happened.push('caught up'),
  });
  expect([happened, liveState.value]).toEqual([[], 'connecting']);
  newest()?.onopen();
  newest()?.tell('a');
  // The browser has reconnected, and says by itself where it was.
  newest()?.onerror();
  newest()?.onopen();
  newest()?.tell('b');
  expect([happened, liveState.value]).toEqual([['caught up', 'a', 'b'], 'open']);
  leave();
});

it('a new stream goes on behind the last event; before the first there may be a gap', () => {
  const catchUp = vi.fn();
  const leave = listen({ hear: () => {}, catchUp });
  newest()?.onopen();
  giveUp();
  newest()?.onopen();
  expect(catchUp).toHaveBeenCalledTimes(2);
  newest()?.tell('a');
  giveUp();
  expect(newest()?.address).toMatch(/after=a$/);
  newest()?.onopen();
  expect(catchUp).toHaveBeenCalledTimes(2);
  leave();
});
