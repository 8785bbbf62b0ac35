import { EXAMPLE_PICTURE } from '@parley/contract';
import { MessageFailedError, type Parley, ParleyError, type SendBody } from 'parley-sdk';
import type { Clock } from '#kernel';
import type { CHECKLIST } from './checklist.ts';

/** The two linked numbers, by one client of the account that has both. */
export interface Pair {
  readonly parley: Parley;
  readonly a: LinkedNumber;
  readonly b: LinkedNumber;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
}

export interface LinkedNumber {
  readonly phone: string;
  readonly sessionId: string;
}

type LineOf<C> = C extends { readonly lines: readonly (infer L)[] } ? L : never;
type CheckedId<L> = L extends { readonly checked: true; readonly id: infer I extends string } ? I : never;
/** Lines of the table that the command checks alone. Each must have its check below. */
export type CheckId = CheckedId<LineOf<(typeof CHECKLIST)[number]>>;

/** What went wrong, without numbers, names or texts of people. */
class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const DELIVERED_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 500;
const MOST_WAITS = 5;

type Draft<B = SendBody> = B extends { readonly session_id: string } ? Omit<B, 'session_id'> : never;

export const CHECKS: Readonly<Record<CheckId, (pair: Pair) => Promise<void>>> = {
  async 'both-connected'({ parley, a, b }) {
    for (const { sessionId } of [a, b]) {
      const { status, reason } = await parley.sessions.get(sessionId);
      if (status !== 'connected') throw new CheckFailed(reason ?? status);
      const { restriction } = await parley.sessions.getHealth(sessionId);
      if (restriction) throw new CheckFailed(restriction.kind);
    }
  },

  async 'number-lookup'({ parley, a, b }) {
    for (const [from, to] of bothWays(a, b)) {
      const { results } = await parley.sessions.validateNumbers(from.sessionId, { numbers: [to.phone] });
      if (results.length !== 1 || !results[0]?.jid) throw new CheckFailed('not_found');
    }
  },

  async 'text-both-ways'(pair) {
    for (const [from, to] of bothWays(pair.a, pair.b)) {
      const after = await latestEvent(pair, to);
      const messageId = await delivered(pair, from, to, { text: 'Parley verify: a text' });
      await arrivedOnce(pair, to, messageId, after);
    }
  },

  async 'five-quickly'(pair) {
    const sent: string[] = [];
    for (let number = 1; number <= 5; number += 1)
      sent.push(await accepted(pair, pair.a, pair.b, { text: `Parley verify: ${number} of 5` }));
    for (const messageId of sent) await reached(pair, messageId, 'delivered');
  },

  async kinds(pair) {
    const { a, b } = pair;
    const quoted = await delivered(pair, a, b, { text: 'Parley verify: a text to reply to' });
    const drafts: Draft[] = [
      { to: b.phone, text: 'Parley verify: a reply', quoted_message_id: quoted },
      { to: b.phone, media_type: 'image', ...EXAMPLE_PICTURE },
      { to: b.phone, media_type: 'document', file_name: 'verify.png', ...EXAMPLE_PICTURE },
      { to: b.phone, type: 'location', latitude: 53.5436, longitude: 9.9668 },
      { to: b.phone, type: 'contact', display_name: 'Verify', vcard: VCARD },
      { to: b.phone, type: 'poll', poll_name: 'Parley verify?', poll_options: ['Yes', 'No'] },
    ];
    for (const draft of drafts) await reached(pair, await acceptedDraft(pair, a, draft), 'delivered');
  },

  async changes(pair) {
    const { a, b } = pair;
    const message = await delivered(pair, a, b, { text: 'Parley verify: to be changed' });
    const reaction = {
      to: b.phone,
      type: 'reaction',
      reacted_message_id: message,
      reacted_from_me: true,
    } as const;
    const drafts: Draft[] = [
      { ...reaction, emoji: '👍' },
      { ...reaction, emoji: '' },
      { to: b.phone, type: 'edit', edit_message_id: message, text: 'Parley verify: changed' },
      { to: b.phone, type: 'revoke', revoked_message_id: message, revoked_from_me: true },
    ];
    for (const draft of drafts) await reached(pair, await acceptedDraft(pair, a, draft), 'sent');
  },

  async story(pair) {
    const draft = { type: 'status', status_type: 'text', text: 'Parley verify' } as const;
    await reached(pair, await acceptedDraft(pair, pair.a, draft), 'sent');
  },

  async presence({ parley, a, b }) {
    const { presence_policy: before = 'auto' } = await parley.sessions.get(a.sessionId);
    await parley.sessions.setPresencePolicy(a.sessionId, { policy: 'unavailable' });
    await parley.sessions.setPresencePolicy(a.sessionId, { policy: before });
    await parley.sessions.setTyping(a.sessionId, { to: b.phone, typing: true });
    await parley.sessions.setTyping(a.sessionId, { to: b.phone, typing: false });
    await parley.sessions.subscribePresence(a.sessionId, { contact_jid: jidOf(b) });
  },

  async people({ parley, a, b }) {
    await parley.contacts.list(a.sessionId);
    await parley.contacts.get(a.sessionId, jidOf(b));
    await parley.contacts.identify(a.sessionId, { phone: b.phone });
    await parley.blocklist.get(a.sessionId);
  },

  async group(pair) {
    const { a, b, parley } = pair;
    const { groups } = parley;
    const { jid } = await groups.create(a.sessionId, { name: 'Parley verify', participants: [jidOf(b)] });
    await groups.rename(a.sessionId, jid, { name: 'Parley verify 2' });
    await groups.describe(a.sessionId, jid, { description: 'Made by parley verify' });
    await changeMember(pair, jid, 'promote');
    await changeMember(pair, jid, 'demote');
    await groups.changeSettings(a.sessionId, jid, { announce: true });
    await groups.changeSettings(a.sessionId, jid, { announce: false });
    await reached(
      pair,
      await acceptedDraft(pair, a, { to: jid, text: 'Parley verify: a text' }),
      'delivered',
    );
    const { invite_link: link } = await groups.getInvite(a.sessionId, jid, { reset: true });
    await changeMember(pair, jid, 'remove');
    await groups.join(b.sessionId, { link });
    await groups.leave(b.sessionId, jid);
    await groups.leave(a.sessionId, jid);
  },

  async channel({ a, b, parley: { channels } }) {
    const { jid } = await channels.create(a.sessionId, { name: 'Parley verify' });
    await channels.follow(b.sessionId, { channel: jid });
    const { server_id, message_id } = await channels.post(a.sessionId, jid, {
      text: 'Parley verify: a text',
    });
    await channels.post(a.sessionId, jid, { media_type: 'image', ...EXAMPLE_PICTURE });
    if (server_id !== undefined)
      await channels.react(b.sessionId, jid, { server_id, message_id, reaction: '👍' });
    await channels.mute(b.sessionId, jid, { mute: true });
    await channels.unfollow(b.sessionId, jid);
  },
};

const VCARD = 'BEGIN:VCARD\nVERSION:3.0\nN:;Verify;;;\nFN:Verify\nTEL;TYPE=CELL:+15550000000\nEND:VCARD';

/** Machine names of an error; its words may name people. */
export function codesOf(error: unknown): string[] {
  if (error instanceof CheckFailed || error instanceof ParleyError) return [error.code];
  if (!(error instanceof MessageFailedError)) return ['unexpected'];
  const { reason } = error.record;
  return reason ? [reason] : ['failed'];
}

function bothWays(a: LinkedNumber, b: LinkedNumber) {
  return [[a, b] as const, [b, a] as const];
}

function jidOf({ phone }: LinkedNumber): string {
  return `${phone}@s.whatsapp.net`;
}

/** Waits where the plan's rate is used up: the checklist is no reason to exceed it. */
async function acceptedDraft(pair: Pair, from: LinkedNumber, draft: Draft): Promise<string> {
  const body = { ...draft, session_id: from.sessionId } as SendBody;
  for (let waits = 0; ; waits += 1) {
    try {
      const { message_id: id } = await pair.parley.messages.send(body);
      if (id === undefined) throw new CheckFailed('no_message_id');
      return id;
    } catch (error) {
      const pauseSeconds = error instanceof ParleyError ? error.retryAfter : undefined;
      if (pauseSeconds === undefined || waits >= MOST_WAITS) throw error;
      await pair.clock.sleep(pauseSeconds * 1_000);
    }
  }
}

function accepted(
  pair: Pair,
  from: LinkedNumber,
  to: LinkedNumber,
  draft: { text: string },
): Promise<string> {
  return acceptedDraft(pair, from, { ...draft, to: to.phone });
}

async function reached({ parley }: Pair, messageId: string, status: 'sent' | 'delivered'): Promise<void> {
  await parley.messages.waitForStatus(messageId, { status, withinMs: DELIVERED_WITHIN_MS });
}

async function delivered(
  pair: Pair,
  from: LinkedNumber,
  to: LinkedNumber,
  draft: { text: string },
): Promise<string> {
  const messageId = await accepted(pair, from, to, draft);
  await reached(pair, messageId, 'delivered');
  return messageId;
}

async function latestEvent({ parley }: Pair, { sessionId }: LinkedNumber): Promise<string> {
  let after: string | undefined;
  for (;;) {
    const { events, next_cursor } = await parley.events.list({
      session_id: sessionId,
      kind: 'message',
      after,
    });
    if (events.length === 0) return next_cursor;
    after = next_cursor;
  }
}

async function arrivedOnce(
  { parley, clock }: Pair,
  to: LinkedNumber,
  messageId: string,
  after: string,
): Promise<void> {
  const giveUpAt = clock.monotonic() + DELIVERED_WITHIN_MS;
  for (;;) {
    const page = await parley.events.list({ session_id: to.sessionId, kind: 'message', after });
    const copies = page.events.filter(({ event }) => 'message_id' in event && event.message_id === messageId);
    if (copies.length === 1) return;
    if (copies.length > 1) throw new CheckFailed('arrived_twice');
    if (clock.monotonic() >= giveUpAt) throw new CheckFailed('no_event');
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

async function changeMember(
  { parley, a, b }: Pair,
  jid: string,
  action: 'promote' | 'demote' | 'remove',
): Promise<void> {
  const { results } = await parley.groups.changeParticipants(a.sessionId, jid, {
    action,
    participants: [jidOf(b)],
  });
  if (results.some(({ ok }) => !ok)) throw new CheckFailed('participant_refused');
}
