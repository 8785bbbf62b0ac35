import { type Plan, parseSend } from '@parley/contract';
import { describe, expect, it, vi } from 'vitest';
import type { SendingTerms } from '#accounts';
import { ApiError, apiError, createIds, createSteppedClock, systemRandom } from '#kernel';
import type { MediaAccess } from '#media';
import type { OwnedNumber } from '#platform/http';
import { StoreError } from '#platform/store';
import type { SessionState } from '#sessions';
import { useStore } from '#testing';
import { openSend } from '../sealed-send.ts';
import {
  commandModules,
  messagesOf,
  newNumber,
  noFiles,
  noUsernames,
  outboxOf,
  START,
  sealedBox,
  sessionIdOf,
  unpaced,
  usedOf,
} from '../testing/rows.ts';
import { acceptSend } from './accept.ts';
import type { RateNotice } from './limits.ts';

const DAY = 86_400_000;
const TO = '15550002001';

describe('a send', () => {
  const test = useStore('SQLite', 'shared by all tests', commandModules);

  /** Accepts the sends of one number; a test may change the number's state on the way. */
  async function createHarness(plan: Plan = 'max') {
    const { store } = test;
    const number: OwnedNumber = { ...(await newNumber(store)), plan };
    const sessionId = sessionIdOf(number);
    const clock = createSteppedClock(START);
    const session: SessionState = { sessionId, status: 'connected', since: START };
    const terms: SendingTerms = {
      plan,
      status: 'active',
      sendsPerMinute: 20,
      sendsPerPeriod: 1_000,
      activatedAt: START,
    };
    const known = {
      session: session as SessionState | undefined,
      terms: terms as SendingTerms | undefined,
    };
    const rates: RateNotice[] = [];
    const bus = { publish: vi.fn() };
    const context = {
      store,
      clock,
      bus,
      sealedBox,
      ids: createIds({ clock, random: systemRandom }),
      sessions: { find: async () => known.session },
      terms: { sendingTerms: async () => known.terms },
      pacing: unpaced,
      media: noFiles as Pick<MediaAccess, 'idOf'>,
      addressOf: vi.fn(noUsernames),
    };
    const answers = (body: object, key: string | undefined, over = context) => {
      const parsed = parseSend({ session_id: sessionId, to: TO, text: 'Hello', ...body });
      if (!parsed.ok) throw new Error(parsed.text);
      return acceptSend(over, number, parsed.send, key, (rate) => void rates.push(rate));
    };
    /** Text of the refusal. */
    const refused = (body: object, key: string | undefined) =>
      answers(body, key).then(
        () => 'accepted',
        (error: unknown) => (error instanceof ApiError ? error.message : Promise.reject(error)),
      );
    return { number, sessionId, clock, known, rates, bus, context, answers, refused };
  }

  it('to a username goes to its current owner, and is replayed although the name has another owner since', async () => {
    const { context, answers, number } = await createHarness();
    context.addressOf.mockResolvedValueOnce('245100123456789@lid');
    const first = await answers({ to: '@ada.byron:1234' }, 'by-name');
    expect(context.addressOf).toHaveBeenCalledWith(number, { username: 'ada.byron', key: '1234' });
    const [message] = await messagesOf(test.store, number);
    expect(message?.to_jid).toBe('245100123456789@lid');
    const [row] = await outboxOf(test.store, number);
    if (!row) throw new Error('nothing was queued');
    expect(openSend(sealedBox, row)).toMatchObject({ to: '245100123456789@lid' });

    expect(await answers({ to: '@ada.byron:1234' }, 'by-name')).toEqual(first);
    await expect(answers({ to: '@ada.byron' }, 'by-name')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('to an unknown username is refused, and changes nothing', async () => {
    const { answers, number } = await createHarness();
    await expect(answers({ to: '@missing' }, 'k')).rejects.toMatchObject({ code: 'username_not_found' });
    expect(await messagesOf(test.store, number)).toEqual([]);
    expect(await usedOf(test.store, number)).toBe(0);
  });

  it('is queued under its own session, sealed, and the outbox is woken', async () => {
    const { number, sessionId, bus, answers } = await createHarness();
    // A session id without device, or of an older link, means the link of today.
    const answer = await answers({ session_id: `${number.phone}:7@s.whatsapp.net` }, 'a');
    expect(answer).toEqual({ message_id: expect.stringMatching(/^3EB0[0-9A-F]{18}$/), status: 'accepted' });
    expect(await messagesOf(test.store, number)).toMatchObject([
      { id: answer.message_id, session_id: sessionId, request_id: 'a', to_jid: `${TO}@s.whatsapp.net` },
    ]);
    const [row] = await outboxOf(test.store, number);
    if (!row) throw new Error('nothing was queued');
    expect(Buffer.from(row.sealed).includes('Hello')).toBe(false);
    expect(openSend(sealedBox, row)).toMatchObject({ kind: 'text', text: 'Hello' });
    expect(() => openSend(sealedBox, { ...row, message_id: 'another' })).toThrow();
    expect(bus.publish).toHaveBeenCalledExactlyOnceWith('outbox', number.slotId);
  });

  it('stores a file inside the request separately, and refers to it', async () => {
    const { number, context, answers } = await createHarness();
    const media = { idOf: async () => 'med_kept' };
    const file = { text: '', media_type: 'image', media_base64: 'QUJD', mimetype: 'image/png' };
    await answers(file, 'a', { ...context, media });
    const [row] = await outboxOf(test.store, number);
    if (!row) throw new Error('nothing was queued');
    const queued = openSend(sealedBox, row);
    expect(queued).toMatchObject({ kind: 'media', media_id: 'med_kept' });
    expect(JSON.stringify(queued)).not.toContain('QUJD');
    const pins = await test.store.read.selectFrom('media_pins').selectAll().execute();
    expect(pins).toContainEqual({ media_id: 'med_kept', slot_id: number.slotId, seq: row.seq });
    await expect(
      answers({ ...file, media_base64: 'QUJE' }, 'a', { ...context, media }),
    ).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('is refused with a missing file, but its replay is answered when the file has gone since', async () => {
    const { number, context, answers } = await createHarness();
    const file = { text: '', media_type: 'image', media_id: 'med_1' };
    const there = { ...context, media: { idOf: async () => 'med_1' } };
    const gone = { ...context, media: { idOf: () => Promise.reject(apiError('media_not_found')) } };
    await expect(answers(file, 'a', gone)).rejects.toMatchObject({ code: 'media_not_found' });
    const first = await answers(file, 'a', there);
    expect(await answers(file, 'a', gone)).toEqual(first);
    expect(await outboxOf(test.store, number)).toHaveLength(1);
  });

  it('of a timer has no id, the first time and on every replay', async () => {
    const { answers } = await createHarness();
    const timer = { type: 'disappearing', disappearing_timer: '24h' };
    expect(await answers(timer, 'a')).toEqual({ status: 'accepted' });
    expect(await answers(timer, 'a')).toEqual({ status: 'accepted' });
  });

  describe('needs an Idempotency-Key', () => {
    it.each([
      ['missing', undefined, 'Idempotency-Key header is required'],
      ['empty', '', 'Idempotency-Key header is required'],
      ['too long', 'x'.repeat(256), 'Idempotency-Key must be at most 255 characters'],
    ])('that is not %s', async (_what, key, words) => {
      expect(await (await createHarness()).refused({}, key)).toBe(words);
    });

    it('of up to 255 characters', async () => {
      expect(await (await createHarness()).refused({}, 'x'.repeat(255))).toBe('accepted');
    });
  });

  describe('when repeated', () => {
    it('is the same in any order of fields, and with ignored fields', async () => {
      const { answers, number, bus } = await createHarness();
      const first = await answers({ text: 'Hello', forwarded: true }, 'a');
      expect(await answers({ forwarded: true, caption: '', latitude: 1, text: 'Hello' }, 'a')).toEqual(first);
      expect(await messagesOf(test.store, number)).toHaveLength(1);
      expect(bus.publish).toHaveBeenCalledTimes(1);
    });

    it('is the same in any order of nested fields', async () => {
      const { answers } = await createHarness();
      const asking = (section: object) => ({
        type: 'interactive',
        interactive_body: 'When?',
        interactive_buttons: [{ type: 'single_select', display_text: 'Choose', sections: [section] }],
      });
      const first = await answers(asking({ title: 'Days', rows: [{ id: 'tue', title: 'Tuesday' }] }), 'a');
      const again = await answers(asking({ rows: [{ title: 'Tuesday', id: 'tue' }], title: 'Days' }), 'a');
      expect(again).toEqual(first);
    });

    it('is another request when any relevant field differs', async () => {
      const { answers, refused } = await createHarness();
      await answers({}, 'a');
      const words = 'Idempotency-Key was already used with a different request';
      expect(await refused({ text: 'Hello!' }, 'a')).toBe(words);
      expect(await refused({ to: '15550002002' }, 'a')).toBe(words);
      expect(await refused({ forwarded: true }, 'a')).toBe(words);
    });

    it('is answered although the number went offline, lost its plan or is no longer active', async () => {
      const { answers, refused, known, number } = await createHarness();
      const first = await answers({}, 'a');
      const terms = known.terms;
      known.session = undefined;
      expect(await answers({}, 'a')).toEqual(first);
      expect(await refused({ text: 'another' }, 'a')).toMatch(/already used/);
      if (terms) known.terms = { ...terms, status: 'suspended' };
      expect(await answers({}, 'a')).toEqual(first);
      expect(await usedOf(test.store, number)).toBe(1);
    });

    it('is forgotten after a day', async () => {
      const { answers, refused, known, clock } = await createHarness();
      const first = await answers({}, 'a');
      known.session = undefined;
      clock.advance(DAY - 1);
      expect(await answers({}, 'a')).toEqual(first);
      clock.advance(1);
      expect(await refused({}, 'a')).toBe('session is not currently hosted by any worker');
    });
  });

  describe('is refused', () => {
    it.each([
      ['free', { text: '', media_type: 'image', media_url: 'https://example.com/a.png' }, 'media'],
      ['pro', { type: 'poll', poll_name: 'When?', poll_options: ['Tue', 'Thu'] }, 'poll'],
      ['pro', { to: '120363041234567890@g.us' }, 'groups'],
    ] as const)('when plan %s does not include it', async (plan, body, feature) => {
      expect(await (await createHarness(plan)).refused(body, 'a')).toBe(
        `plan ${plan} does not include ${feature}`,
      );
    });

    it.each(['offline', 'logged_out'] as const)('while the number is %s', async (status) => {
      const { refused, known, sessionId } = await createHarness();
      known.session = { sessionId, status, since: START };
      expect(await refused({}, 'a')).toBe('session is not currently hosted by any worker');
    });

    it('not while it is only reconnecting', async () => {
      const { refused, known, sessionId } = await createHarness();
      known.session = { sessionId, status: 'reconnecting', since: START };
      expect(await refused({}, 'a')).toBe('accepted');
    });

    it.each([
      ['suspended', 'suspended', START],
      ['in no period', 'active', null],
    ] as const)('when the device is %s', async (_what, status, activatedAt) => {
      const { refused, known } = await createHarness();
      if (known.terms) known.terms = { ...known.terms, status, activatedAt };
      expect(await refused({}, 'a')).toBe('device is not active');
    });

    it('for its plan before its connection', async () => {
      const { refused, known } = await createHarness('free');
      known.session = undefined;
      expect(await refused({ type: 'location', latitude: 1, longitude: 2 }, 'a')).toMatch(/^plan free/);
    });

    it('when the database is unavailable, with advice to retry', async () => {
      const { answers, context } = await createHarness();
      const full = new StoreError('queue_full', 'too many');
      const store = { ...context.store, run: () => Promise.reject(full) };
      await expect(answers({}, 'a', { ...context, store })).rejects.toMatchObject({
        code: 'enqueue_failed',
        status: 502,
        cause: full,
      });
    });

    it('as an internal error when there is a bug', async () => {
      const { answers, context } = await createHarness();
      const bug = new StoreError('statement_failed', 'no such column');
      const store = { ...context.store, run: () => Promise.reject(bug) };
      await expect(answers({}, 'a', { ...context, store })).rejects.toBe(bug);
    });
  });

  describe('that edits', () => {
    const edit = (id: string | undefined) => ({ type: 'edit', edit_message_id: id, text: 'Corrected' });

    it('is accepted for a message of the same number, for twenty minutes', async () => {
      const { answers, refused, clock } = await createHarness();
      const { message_id } = await answers({}, 'a');
      clock.advance(20 * 60_000);
      expect(await refused(edit(message_id), 'b')).toBe('accepted');
      clock.advance(1);
      expect(await refused(edit(message_id), 'c')).toBe(
        'message is too old to edit: the limit is 20 minutes',
      );
    });

    it('is refused for a message of another sender', async () => {
      const [mine, theirs] = [await createHarness(), await createHarness()];
      const { message_id } = await theirs.answers({}, 'a');
      const words = 'only messages sent by this session can be edited';
      expect(await mine.refused(edit(message_id), 'a')).toBe(words);
      expect(await mine.refused(edit('3EB0UNKNOWN'), 'b')).toBe(words);
    });
  });

  it('reports the remaining rate with every answer, refusals included', async () => {
    const { answers, refused, known, rates } = await createHarness('pro');
    await answers({}, 'a');
    await answers({}, 'a');
    await refused({ text: 'another' }, 'a');
    await refused({}, undefined);
    await refused({ type: 'poll', poll_name: 'When?', poll_options: ['Tue', 'Thu'] }, 'b');
    known.session = undefined;
    await refused({}, 'c');
    expect(rates).toHaveLength(6);
    expect(new Set(rates.map((rate) => JSON.stringify(rate)))).toEqual(
      new Set([JSON.stringify({ limit: 5, remaining: 4, resetSeconds: 1 })]),
    );
  });
});
