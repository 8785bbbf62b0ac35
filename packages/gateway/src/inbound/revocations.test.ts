import { expect, test } from 'vitest';
import { NetworkError } from '#network';
import { changedBy, claimedRight } from './revocations.ts';
import { ADA, GROUP, message } from './testing/sink.ts';

const LID = '77@lid';
const taken = { kind: 'other', text: '', revokedId: 'R', changesAnothers: true } as const;
const inGroup = { chat: GROUP, isGroup: true, sender: LID, senderLid: LID, senderPhone: ADA };

type Participant = { jid: string; phoneJid?: string; isAdmin: boolean };

const groupOf = (...participants: Participant[]) => ({
  detail: async () => ({
    ...{ jid: GROUP, name: 'Lunch', description: '', createdAt: 0, announce: false, locked: false },
    participants: participants.map((each) => ({ isSuperAdmin: false, ...each })),
  }),
});

test.each<[string, Participant, string | null]>([
  ['by the address that the group has', { jid: LID, isAdmin: true }, 'admin'],
  ['by the phone that the group has beside it', { jid: '78@lid', phoneJid: ADA, isAdmin: true }, 'admin'],
  ['who is no admin', { jid: LID, phoneJid: ADA, isAdmin: false }, null],
  ['of another person', { jid: '78@lid', phoneJid: '1@s.whatsapp.net', isAdmin: true }, null],
  ['of whom no phone is known', { jid: '78@lid', isAdmin: true }, null],
])('knows an admin %s', async (_how, participant, right) => {
  expect(await claimedRight(groupOf(participant), message(taken, inGroup))).toBe(right);
  // A sender without a phone has no unknown phone.
  const { senderPhone, ...withoutPhone } = inGroup;
  const event = { ...message(taken, withoutPhone), senderPhone: undefined } as never;
  expect(await claimedRight(groupOf(participant), event)).toBe(participant.jid === LID ? right : null);
});

test('asks no group about what is not said in one, nor about what needs no right', async () => {
  const groups = { detail: () => Promise.reject(new Error('no group is read')) };
  expect(await claimedRight(groups, message(taken))).toBeNull();
  expect(await claimedRight(groups, message({ kind: 'text', text: 'x' }, inGroup))).toBeNull();
  const own = { kind: 'other', text: '', revokedId: 'R' } as const;
  expect(await claimedRight(groups, message(own, inGroup))).toBe('author');
  expect(await claimedRight(groups, message({ ...taken, revokedByAdmin: true }, inGroup))).toBe('admin');
  const offline = { detail: () => Promise.reject(new NetworkError('offline', 'no connection')) };
  expect(await claimedRight(offline, message(taken, inGroup))).toBeNull();
});

test('names the message that is taken back, of whatever else none', () => {
  expect(changedBy(taken)).toBe('R');
  expect(changedBy({ kind: 'other', text: '' })).toBeUndefined();
  expect(changedBy({ kind: 'text', text: 'R' })).toBeUndefined();
});
