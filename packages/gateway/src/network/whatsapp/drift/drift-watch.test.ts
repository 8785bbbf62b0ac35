import { userJid } from '@parley/sandbox/world';
import { type BinaryNode, proto } from 'baileys';
import { describe, expect, it, vi } from 'vitest';
import { createSteppedClock } from '#kernel';
import { type Store, StoreError } from '#platform/store';
import { describeOnEachDatabase } from '#testing';
import { keepDrift, listDrift, MOST_NAMES, OTHER } from '../gateway-queries.ts';
import type { WireHarness } from '../testing/fixture.ts';
import { ADA, connected, ME, messageIds, type Opened, online, useWire, WAIT } from '../testing/people.ts';
import { createDriftWatch, unknownInMessage } from './drift-watch.ts';

const setUp = useWire();
const SECRET = '15550009009';

function sayTo({ wire }: WireHarness, { session }: Opened, stanza: BinaryNode): void {
  wire.say(session.state.kind === 'connected' ? session.state.sessionId : '', stanza);
}

const NEW_KIND: BinaryNode = {
  tag: 'notification',
  attrs: { id: 'N1', from: `${SECRET}@s.whatsapp.net`, type: 'companion_check', t: '7' },
  content: [{ tag: 'check', attrs: { code: SECRET }, content: Buffer.from(SECRET) }],
};

describe('arrivals that the driver does not understand', () => {
  it('are counted by kind, kept across restarts, and logged once', async () => {
    const lines: object[] = [];
    const harness = await setUp({
      log: { debug() {}, warn: (details, message) => void lines.push({ ...details, message }) },
    });
    let me = await online(harness);
    const from = 's.whatsapp.net';
    for (const stanza of [
      NEW_KIND,
      NEW_KIND,
      {
        tag: 'notification',
        attrs: { id: 'N2', from, type: 'picture', t: '7' },
        content: [{ tag: 'glow', attrs: {} }],
      },
      {
        tag: 'notification',
        attrs: { id: 'N3', from, type: 'mex', t: '7' },
        content: [{ tag: 'update', attrs: { op_name: 'NotificationNew' } }],
      },
      { tag: 'ib', attrs: { from }, content: [{ tag: 'moon_phase', attrs: { t: '1' } }] },
      { tag: 'receipt', attrs: { id: 'R1', from: userJid(ADA), type: 'smelled', t: '7' } },
      {
        tag: 'call',
        attrs: { id: 'C1', from: userJid(ADA), t: '7' },
        content: [{ tag: 'hologram', attrs: { 'call-id': 'X' } }],
      },
      { tag: 'ack', attrs: { id: 'A1', from, class: 'message', error: '487' } },
      { tag: 'telegram', attrs: { from, [`x${SECRET}`]: SECRET } },
    ])
      sayTo(harness, me, stanza);
    const { message } = { message: proto.Message.encode({ requestPhoneNumberMessage: {} }).finish() };
    const content = { type: 'other', raw: Buffer.from(message).toString('base64') } as const;
    harness.world.messages.send({ phone: ADA, device: 0 }, { id: 'M1', to: userJid(ME), content });
    await vi.waitFor(() => expect(messageIds(me)).toContain('M1'), WAIT);

    await harness.driver.close();
    const kept = await listDrift(harness.store, harness.now());
    expect(Object.fromEntries(kept.map(({ part, name, count }) => [`${part} ${name}`, count]))).toEqual({
      'notification companion_check': 2,
      'notification picture/glow': 1,
      'mex NotificationNew': 1,
      'ib moon_phase': 1,
      'receipt smelled': 1,
      'call hologram': 1,
      'ack 487': 1,
      'stanza telegram': 1,
      'message requestPhoneNumberMessage': 1,
    });
    expect(kept.find(({ name }) => name === 'companion_check')?.sample).toBe(
      'notification[id from type t](check[code](bytes))',
    );
    expect(JSON.stringify([kept, lines])).not.toContain(SECRET);
    const about = (name: string) => lines.filter((line) => 'name' in line && line.name === name);
    expect(about('companion_check')).toHaveLength(1);

    await harness.crash();
    me = await connected(harness, 2);
    sayTo(harness, me, NEW_KIND);
    const again = async () => (await listDrift(harness.store, harness.now()))[0];
    await vi.waitFor(async () => {
      await harness.advance(5_000);
      expect(await again()).toMatchObject({ name: 'companion_check', count: 3 });
    }, WAIT);
    expect((await again())?.firstSeen).toBeLessThan((await again())?.lastSeen ?? 0);
    expect(about('companion_check')).toHaveLength(1);
  });

  it('include stored queries that the network has dropped, which fail in plain words', async () => {
    const harness = await setUp();
    const me = await online(harness);
    harness.intercept((stanza) =>
      stanza.attrs.xmlns === 'w:mex'
        ? {
            tag: 'iq',
            attrs: { type: 'error', id: stanza.attrs.id ?? '', from: 's.whatsapp.net' },
            content: [{ tag: 'error', attrs: { code: '404', text: 'item-not-found' } }],
          }
        : undefined,
    );
    await expect(me.session.channels.list()).rejects.toMatchObject({
      kind: 'transient',
      message: 'The network does not know this request any more.',
    });
    await harness.driver.close();
    const kept = await listDrift(harness.store, harness.now());
    expect(kept.find(({ name }) => name === 'xwa2_newsletter_subscribed')).toMatchObject({
      part: 'query',
      count: 1,
    });
  });

  it('are found in a message by the number of their field, also inside another one', () => {
    const padded = (message: number[]) => Uint8Array.from([...message, 1]);
    // Field 200 with two bytes, beside the text "a".
    const field200 = [0xc2, 0x0c, 2, 0x31, 0x32];
    const text = [0x0a, 1, 0x61];
    expect(unknownInMessage(padded([...text, ...field200]))).toEqual([
      { part: 'message', name: 'field_200', sample: 'conversation field_200' },
    ]);
    // Field 40 is a message that disappears, with the message in its field 1.
    const inner = [0x0a, field200.length, ...field200];
    expect(unknownInMessage(padded([0xc2, 0x02, inner.length, ...inner]))).toMatchObject([
      { name: 'field_200' },
    ]);
    const request = proto.Message.encode({ protocolMessage: { type: 23 } }).finish();
    expect(unknownInMessage(padded([...request]))).toMatchObject([
      { part: 'protocol', name: 'REMINDER_MESSAGE' },
    ]);
    expect(unknownInMessage(padded(text))).toEqual([]);
    expect(unknownInMessage(Uint8Array.from([0x0a, 0xff, 99]))).toEqual([]);
  });
});

describeOnEachDatabase(
  'kept kinds',
  (testStore) => {
    const entry = (name: string, at = 1) =>
      ({ part: 'receipt', name, count: 1, firstSeen: at, lastSeen: at, sample: name }) as const;

    it('are at most as many as a part may have, with the others together', async () => {
      const many = Array.from({ length: MOST_NAMES + 5 }, (_, place) => entry(`kind_${place}`));
      expect(await keepDrift(testStore.store, many, 1)).toHaveLength(MOST_NAMES + 1);
      expect(await keepDrift(testStore.store, [entry('one_more')], 1)).toEqual([]);
      const kept = await listDrift(testStore.store, 1);
      expect(kept).toHaveLength(MOST_NAMES + 1);
      expect(kept.find(({ name }) => name === OTHER)?.count).toBe(6);
    });

    it('are counted once each, also when the database fails for a while', async () => {
      const { store } = testStore;
      const clock = createSteppedClock();
      const counted: string[] = [];
      let isDown = true;
      const failing = Promise.withResolvers<void>();
      const transaction: Store['transaction'] = (work) => {
        if (!isDown) return store.transaction(work);
        failing.resolve();
        return Promise.reject(new StoreError('statement_failed', 'the database is down'));
      };
      const watch = createDriftWatch({
        ...{ store: { transaction }, clock, log: { debug() {}, warn() {} } },
        onUnknown: (_part, name) => void counted.push(name),
      });
      const field = (number: number) => {
        const key = number * 8 + 2;
        return Uint8Array.from([(key % 128) + 128, Math.floor(key / 128), 0, 1]);
      };
      watch.inspectMessage(field(200));
      clock.advance(5_000);
      await failing.promise;
      isDown = false;
      for (let number = 200; number <= 200 + MOST_NAMES; number++) watch.inspectMessage(field(number));
      await watch.stop();
      const kept = await listDrift(store, clock.now());
      expect(kept.find(({ name }) => name === 'field_200')?.count).toBe(2);
      expect(kept).toHaveLength(MOST_NAMES + 1);
      expect(new Set(counted)).toEqual(new Set(kept.map(({ name }) => name)));
    });

    it('are dropped 90 days after they were last seen', async () => {
      const over = 1 + 90 * 86_400_000;
      await keepDrift(testStore.store, [entry('old')], 1);
      expect(await listDrift(testStore.store, over)).toEqual([]);
      await keepDrift(testStore.store, [entry('new', over)], over);
      expect((await listDrift(testStore.store, over - 1)).map(({ name }) => name)).toEqual(['new']);
    });
  },
  'new for each test',
);
