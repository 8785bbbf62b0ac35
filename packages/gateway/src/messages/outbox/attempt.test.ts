import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSeededRandom } from '#kernel';
import { NetworkError } from '#network';
import type { Store } from '#platform/store';
import { attempt } from './attempt.ts';
import type { QueuedMessage } from './outbox-queries.ts';

const unanswered = () =>
  new NetworkError('transient', 'The network did not answer in time.', { unanswered: true });
const offline = () => new NetworkError('offline', 'The number is not connected at this moment.');
const send = Buffer.from(JSON.stringify({ kind: 'text', to: '31600000001@s.whatsapp.net', text: 'hello' }));
// Only the fields that an attempt reads; a text needs nothing of the store.
const head = { message_id: '3EB0', slot_id: 'slot', sealed: send, attempts: 4 } as unknown as QueuedMessage;
const context = {
  store: {} as Store,
  random: createSeededRandom(1),
  sealedBox: { open: (sealed: Uint8Array) => sealed },
  log: { debug() {}, error: vi.fn(), warn: vi.fn() },
};

function createSession(...answersToProbe: (NetworkError | undefined)[]) {
  return {
    send: vi.fn(async () => {
      throw unanswered();
    }),
    probe: vi.fn(async () => {
      const answer = answersToProbe.shift();
      if (answer) throw answer;
    }),
    reconnect: vi.fn(),
  };
}

describe('an unanswered attempt', () => {
  afterEach(() => expect(context.log.error).not.toHaveBeenCalled());

  it('counts when the network is responsive otherwise', async () => {
    const session = createSession(undefined);
    expect(await attempt(context, session, head, undefined)).toMatchObject({ reason: 'RETRIES_EXHAUSTED' });
    expect(session.reconnect).not.toHaveBeenCalled();
  });

  it('counts when only the second probe is answered: the machine may have stood still', async () => {
    const session = createSession(unanswered(), undefined);
    expect(await attempt(context, session, head, undefined)).toMatchObject({ kind: 'failed' });
  });

  it('costs nothing when the network answers no probe, and the session reconnects', async () => {
    const session = createSession(unanswered(), unanswered());
    expect(await attempt(context, session, head, undefined)).toEqual({ kind: 'offline' });
    expect(session.reconnect).toHaveBeenCalledOnce();
  });

  it('costs nothing when the connection is known to be gone, and forces no reconnect', async () => {
    const session = createSession(unanswered(), offline());
    expect(await attempt(context, session, head, undefined)).toEqual({ kind: 'offline' });
    expect(session.reconnect).not.toHaveBeenCalled();
  });
});
