import { describe, expect, it } from 'vitest';
import type { Addressing, Person } from '../../world/index.ts';
import { messageAddresses, retryAddresses } from './addresses.ts';
import { participantHash } from './participant-hash.ts';

/** Attributes of stanzas, as clients of the real network read them. Change only with a capture that proves it. */

const person = (phone: string, lid: string, addressing: Addressing): Person => ({
  phone,
  lid,
  name: 'Ada',
  lidMode: false,
  addressing,
});
const ada = (addressing: Addressing) => person('15550001', '900001', addressing);
const ben = (addressing: Addressing) => person('15550002', '900002', addressing);
const direct = (other: Person) => ({ kind: 'direct', jid: '', person: other }) as const;
const group = { kind: 'group', jid: '1203@g.us' } as const;
const story = { kind: 'status', jid: 'status@broadcast' } as const;

describe('a message', () => {
  it.each([
    [
      'from a LID',
      { id: 'A', chat: direct(ada('lid')), author: ada('lid'), device: 3, fromMe: false },
      { from: '900001:3@lid', sender_pn: '15550001@s.whatsapp.net', addressing_mode: 'lid' },
    ],
    [
      'from a number',
      { id: 'A', chat: direct(ada('pn')), author: ada('pn'), device: 3, fromMe: false },
      { from: '15550001:3@s.whatsapp.net', sender_lid: '900001@lid' },
    ],
    [
      'from the phone itself',
      { id: 'A', chat: direct(ada('lid')), author: ada('lid'), device: 0, fromMe: false },
      { from: '900001@lid', sender_pn: '15550001@s.whatsapp.net', addressing_mode: 'lid' },
    ],
    [
      'for another device of its author, to a LID',
      { id: 'A', chat: direct(ben('lid')), author: ada('lid'), device: 3, fromMe: true },
      {
        from: '900001:3@lid',
        recipient: '900002@lid',
        peer_recipient_pn: '15550002@s.whatsapp.net',
        addressing_mode: 'lid',
      },
    ],
    [
      'for another device of its author, to a number',
      { id: 'A', chat: direct(ben('pn')), author: ada('lid'), device: 3, fromMe: true },
      {
        from: '15550001:3@s.whatsapp.net',
        recipient: '15550002@s.whatsapp.net',
        peer_recipient_lid: '900002@lid',
      },
    ],
    [
      'in a group',
      { id: 'A', chat: group, author: ada('pn'), device: 3, fromMe: false },
      {
        from: '1203@g.us',
        participant: '900001:3@lid',
        participant_pn: '15550001@s.whatsapp.net',
        addressing_mode: 'lid',
      },
    ],
    [
      'in a story by LID',
      { id: 'A', chat: story, author: ada('mixed'), device: 3, fromMe: false },
      {
        from: 'status@broadcast',
        participant: '900001:3@lid',
        participant_pn: '15550001@s.whatsapp.net',
        addressing_mode: 'lid',
      },
    ],
    [
      'in a story by number',
      { id: 'A', chat: story, author: ada('pn'), device: 0, fromMe: false },
      { from: 'status@broadcast', participant: '15550001@s.whatsapp.net', participant_lid: '900001@lid' },
    ],
  ] as const)('%s', (_what, message, addresses) => {
    expect(messageAddresses(message)).toEqual(addresses);
  });

  it('of a person under migration has the same address at every repetition', () => {
    const of = (id: string) =>
      messageAddresses({ id, chat: direct(ada('mixed')), author: ada('mixed'), device: 0, fromMe: false })
        .from;
    expect(['M1', 'M2', 'M1'].map(of)).toEqual([
      '15550001@s.whatsapp.net',
      '900001@lid',
      '15550001@s.whatsapp.net',
    ]);
  });
});

describe('the request for a message', () => {
  const asker = { phone: '15550002', device: 4 };
  it.each([
    ['by a LID', 'lid', '900001@lid', false, { from: '900002:4@lid' }],
    ['by a number', 'pn', '15550001@s.whatsapp.net', false, { from: '15550002:4@s.whatsapp.net' }],
    ['by an own device', 'lid', '900009@lid', true, { from: '900002:4@lid', recipient: '900009@lid' }],
    [
      'in a group',
      'pn',
      '1203@g.us',
      false,
      { from: '1203@g.us', participant: '900002:4@lid', participant_pn: '15550002@s.whatsapp.net' },
    ],
  ] as const)('%s', (_what, addressing, chat, isOwn, addresses) => {
    expect(retryAddresses({ id: 'A', asker, person: ben(addressing), chat, isOwn })).toEqual(addresses);
  });
});

describe('the hash of a list of devices', () => {
  const listed = [
    { person: ada('lid'), devices: [0, 3] },
    { person: ben('lid'), devices: [0] },
  ];
  // sha256 of the sorted names "900001.0:0@lid900001.0:3@lid900002.0:0@lid", six bytes of it in base64
  it.each([
    ['lid', '2:Ppf2Jw5n'],
    ['pn', '2:mQgS8xTX'],
  ] as const)('by %s', (by, hash) => {
    expect(participantHash(listed, by)).toBe(hash);
    expect(participantHash(listed.toReversed(), by)).toBe(hash);
  });
});
