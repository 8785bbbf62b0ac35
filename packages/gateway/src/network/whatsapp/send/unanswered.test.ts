import type { BinaryNode, WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createNumberLookup } from '../operations/number-lookup.ts';
import { createAddressing } from './addressing.ts';
import { findDevices } from './devices.ts';

const ADA = '15550002001';

/** A connection of the library over which these answers come; nothing stands for one that did not come in time. */
function connectionWith(answers: (BinaryNode | undefined)[]): WASocket {
  const sock = {
    query: async () => answers.shift(),
    generateMessageTag: () => 'tag',
    // As the library does it, for whom no answer is an answer.
    getUSyncDevices: async () => [],
    signalRepository: { lidMapping: { storeLIDPNMappings: async () => {} } },
  };
  // Not a whole socket: these are the parts that are used.
  return sock as unknown as WASocket;
}

function answerAbout(user: BinaryNode): BinaryNode {
  const list = { tag: 'list', attrs: {}, content: [user] };
  return { tag: 'iq', attrs: { type: 'result' }, content: [{ tag: 'usync', attrs: {}, content: [list] }] };
}

function contact(type: 'in' | 'out'): BinaryNode {
  const content = [{ tag: 'contact', attrs: { type }, content: Buffer.from(`+${ADA}`) }];
  return answerAbout({ tag: 'user', attrs: { jid: `${ADA}@s.whatsapp.net` }, content });
}

const numbers = () => createNumberLookup(createSteppedClock());

test('a number is not taken for unknown because the network did not answer in time', async () => {
  const { isRegistered } = numbers();
  const sock = connectionWith([undefined, contact('in')]);
  await expect(isRegistered(sock, `${ADA}@s.whatsapp.net`)).rejects.toMatchObject({ kind: 'transient' });
  expect(await isRegistered(sock, `${ADA}@s.whatsapp.net`)).toBe(true);
});

test('a number that the network does not know is asked for again only after a while', async () => {
  const { isRegistered } = numbers();
  const sock = connectionWith([contact('out'), contact('in')]);
  expect(await isRegistered(sock, `${ADA}@s.whatsapp.net`)).toBe(false);
  expect(await isRegistered(sock, `${ADA}@s.whatsapp.net`)).toBe(false);
});

test('nothing is sent to nobody because the network did not tell the devices in time', async () => {
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
  // They were told to us a moment later, so there are some, and the library will find them.
  await expect(findDevices(sock, jid)).rejects.toMatchObject({ kind: 'transient' });
  await expect(findDevices(sock, jid)).resolves.toBe('none');
  await expect(findDevices(sock, jid)).resolves.toBe('unknown');
});

test('somebody without a hidden address keeps the number, and is asked for again only after a while', async () => {
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

  // No answer is none: the message must wait, and not go where it may be refused.
  await expect(of(sock, jid)).rejects.toMatchObject({ kind: 'transient' });
  expect([await of(sock, jid), await of(sock, jid)]).toEqual([jid, jid]);
  await clock.advance(3_600_001);
  expect(await of(sock, jid)).toBe('100000000000001@lid');
});
