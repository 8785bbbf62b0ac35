import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, type WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createAccounts, MOST_CHECKS } from '../operations/accounts.ts';
import type { SessionContext } from '../session-context.ts';
import type { Change } from '../vault/index.ts';
import { createAddressing } from './addressing.ts';
import { findDevices } from './devices.ts';

const ADA = '15550002001';

/** A connection of the library with these answers; undefined stands for a timeout. */
function connectionWith(
  answers: (BinaryNode | undefined)[] | ((question: BinaryNode) => BinaryNode),
): WASocket {
  const sock = {
    query: async (question: BinaryNode) => (Array.isArray(answers) ? answers.shift() : answers(question)),
    generateMessageTag: () => 'tag',
    // As in the library, for which a timeout is an empty list.
    getUSyncDevices: async () => [],
    signalRepository: { lidMapping: { storeLIDPNMappings: async () => {} } },
  };
  // A partial socket with the parts that are used.
  return sock as unknown as WASocket;
}

function answerAbout(...users: BinaryNode[]): BinaryNode {
  const list = { tag: 'list', attrs: {}, content: users };
  return { tag: 'iq', attrs: { type: 'result' }, content: [{ tag: 'usync', attrs: {}, content: [list] }] };
}

function contact(type: 'in' | 'out'): BinaryNode {
  const content = [{ tag: 'contact', attrs: { type }, content: Buffer.from(`+${ADA}`) }];
  return answerAbout({ tag: 'user', attrs: { jid: `${ADA}@s.whatsapp.net` }, content });
}

/** Number checks of a session with an empty vault. */
function accounts() {
  const kept = new Map<string, unknown>();
  const vault = {
    read: async (kind: string, ids: readonly string[]) =>
      new Map(ids.flatMap((id) => (kept.has(kind + id) ? [[id, kept.get(kind + id)] as const] : []))),
    async commit({ puts = [] }: Change) {
      for (const { kind, id, value } of puts) kept.set(kind + id, value);
    },
  };
  const clock = createSteppedClock();
  const me = () => ({ id: '15550001001:1@s.whatsapp.net' });
  // A partial context with the parts that are used.
  return createAccounts({ vault: () => vault, clock, me } as unknown as SessionContext);
}

test('does not take a number for unknown because the network did not answer in time', async () => {
  const { find } = accounts();
  const sock = connectionWith([undefined, contact('in')]);
  await expect(find(sock, `${ADA}@s.whatsapp.net`)).rejects.toMatchObject({ kind: 'transient' });
  expect(await find(sock, `${ADA}@s.whatsapp.net`)).toBe(`${ADA}@s.whatsapp.net`);
});

test('takes the number beside a hidden address for the account', async () => {
  const own = '558487654321@s.whatsapp.net';
  const content = [{ tag: 'contact', attrs: { type: 'in' }, content: Buffer.from('+5584987654321') }];
  const attrs = { jid: '100000000000001@lid', pn_jid: own };
  const sock = connectionWith([answerAbout({ tag: 'user', attrs, content })]);
  expect(await accounts().find(sock, '5584987654321@s.whatsapp.net')).toBe(own);
});

test('keeps the newest checks, and a bounded number of them', async () => {
  const asked: string[] = [];
  const sock = connectionWith((question) => {
    const [usync] = getBinaryNodeChildren(question, 'usync');
    const users = getBinaryNodeChildren(getBinaryNodeChild(usync, 'list'), 'user');
    const numbers = users.map((user) => String(getBinaryNodeChild(user, 'contact')?.content));
    asked.push(...numbers);
    return answerAbout(
      ...numbers.map((number) => ({
        tag: 'user',
        attrs: { jid: `${number.slice(1)}@s.whatsapp.net` },
        content: [{ tag: 'contact', attrs: { type: 'out' }, content: Buffer.from(number) }],
      })),
    );
  });
  const { lookUp } = accounts();
  const EXCESS = 1_000;
  const numbers = Array.from({ length: MOST_CHECKS + EXCESS }, (_, index) => String(15_560_000_000 + index));
  await lookUp(sock, numbers);
  asked.length = 0;
  await lookUp(sock, numbers);
  expect(asked).toEqual(numbers.slice(0, EXCESS).map((number) => `+${number}`));
});

test('sends nothing without recipients when the network did not list the devices in time', async () => {
  const devices = {
    tag: 'devices',
    attrs: {},
    content: [{ tag: 'device-list', attrs: {}, content: [{ tag: 'device', attrs: { id: '0' } }] }],
  };
  const jid = `${ADA}@s.whatsapp.net`;
  const noDevices = { tag: 'devices', attrs: {}, content: [{ tag: 'device-list', attrs: {} }] };
  const sock = connectionWith([
    undefined,
    answerAbout({ tag: 'user', attrs: { jid }, content: [devices] }),
    answerAbout({ tag: 'user', attrs: { jid }, content: [noDevices] }),
    answerAbout({ tag: 'user', attrs: { jid } }),
  ]);
  await expect(findDevices(sock, jid)).rejects.toMatchObject({ kind: 'transient' });
  // They arrived here a moment later, so there are some, and the library will find them.
  await expect(findDevices(sock, jid)).rejects.toMatchObject({ kind: 'transient' });
  await expect(findDevices(sock, jid)).resolves.toBe('none');
  await expect(findDevices(sock, jid)).resolves.toBe('unknown');
});

test('keeps the number of a person without a hidden address, and looks it up again only after a while', async () => {
  const clock = createSteppedClock();
  const jid = `${ADA}@s.whatsapp.net`;
  const nothing = answerAbout({ tag: 'user', attrs: { jid } });
  const lid = answerAbout({
    tag: 'user',
    attrs: { jid },
    content: [{ tag: 'lid', attrs: { val: '100000000000001@lid' } }],
  });
  const sock = connectionWith([undefined, nothing, lid]);
  const { of } = createAddressing({ clock, vault: () => ({ read: async () => new Map() }) });

  // A timeout is no answer: the message must wait, and not go where it may be refused.
  await expect(of(sock, jid)).rejects.toMatchObject({ kind: 'transient' });
  expect([await of(sock, jid), await of(sock, jid)]).toEqual([jid, jid]);
  await clock.advance(3_600_001);
  expect(await of(sock, jid)).toBe('100000000000001@lid');
});
