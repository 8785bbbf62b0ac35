import { expect, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createTestWorld,
  handset,
  linked,
  refusal,
  settled,
  text,
  unregistered,
} from '../fixture.ts';
import { statusJid, userJid } from '../jids.ts';

test('a message reaches the other phone, which confirms the delivery at once', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  world.messages.send(desk.device, { id: 'M1', to: `+${ben}`, content: text('hello') });
  await settled();

  const [bubble] = world.messages.seenBy(ben);
  expect(bubble).toMatchObject({ id: 'M1', fromMe: false, content: text('hello'), senderDevice: 1 });
  expect(bubble?.chat.jid).toBe(userJid(ada));
  expect(desk.news('receipt')).toMatchObject([
    { messageId: 'M1', type: 'delivered', reader: { phone: ben } },
  ]);
});

test('the read receipt waits for the reader, and is sent once', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  world.messages.send(desk.device, { id: 'M1', to: ben, content: text('hello') });
  world.messages.mark(ben, 'M1', 'read');
  world.messages.mark(ben, 'M1', 'read');
  await settled();
  expect(desk.news('receipt').map(({ type }) => type)).toEqual(['delivered', 'read']);
});

test('a phone with auto_read reads what it shows, not the reactions to it', async () => {
  const world = createTestWorld();
  world.phones.update(handset(ben), { autoRead: true });
  const desk = linked(world, ada);
  world.messages.send(desk.device, { id: 'M1', to: ben, content: text('hello') });
  world.messages.send(desk.device, {
    id: 'R1',
    to: ben,
    content: { type: 'reaction', target: 'M1', emoji: '👍' },
  });
  await settled();
  expect(desk.news('receipt').map(({ messageId, type }) => [messageId, type])).toEqual([
    ['M1', 'delivered'],
    ['M1', 'read'],
    ['R1', 'delivered'],
  ]);
});

test('only what plays can be played', () => {
  const world = createTestWorld();
  const media = world.media.put(new Uint8Array([1, 2]), 'audio/ogg');
  world.messages.send(handset(ada), { id: 'T', to: ben, content: text('hi') });
  world.messages.send(handset(ada), { id: 'A', to: ben, content: { type: 'audio', media, voice: true } });
  expect(refusal(() => world.messages.mark(ben, 'T', 'played'))).toBe('bad_request');
  expect(refusal(() => world.messages.mark(ben, 'unknown', 'read'))).toBe('not_found');
  world.messages.mark(ben, 'A', 'played');
  expect(world.messages.find(ada, 'A')?.receipts.map(({ type }) => type)).toEqual(['delivered', 'played']);
});

test('a duplicate id is dropped by the phone and counted, but carried to linked devices', async () => {
  const world = createTestWorld();
  const sender = linked(world, ada);
  const receiver = linked(world, ben);
  const order = { id: 'M1', to: ben, content: text('once') };
  expect(world.messages.send(sender.device, order).duplicate).toBe(false);
  world.clock.advance(1_000);
  expect(world.messages.send(sender.device, order)).toMatchObject({ id: 'M1', duplicate: true });
  await settled();

  expect(world.messages.seenBy(ben)).toHaveLength(1);
  expect(world.phones.get(ben).duplicatesDropped).toBe(1);
  expect(world.phones.get(ada).duplicatesDropped).toBe(0);
  expect(receiver.news('message').map(({ message }) => message.id)).toEqual(['M1', 'M1']);
  expect(sender.news('receipt')).toHaveLength(1);
});

test('a duplicate counts only for those who had the first copy', () => {
  const world = createTestWorld();
  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben] });
  const order = { id: 'M1', to: group.jid, content: text('once') };
  world.messages.send(handset(ada), order);
  world.groups.participants(handset(ada), group.jid, 'add', [cleo]);
  world.messages.send(handset(ada), order);
  expect(world.phones.get(ben).duplicatesDropped).toBe(1);
  expect(world.phones.get(cleo).duplicatesDropped).toBe(0);
});

test('the same id in another chat is another message', () => {
  const world = createTestWorld();
  world.messages.send(handset(ada), { id: 'M1', to: ben, content: text('for Ben') });
  expect(world.messages.send(handset(ada), { id: 'M1', to: cleo, content: text('for Cleo') }).duplicate).toBe(
    false,
  );
  expect(world.messages.seenBy(cleo)).toMatchObject([{ content: text('for Cleo') }]);
});

test('all devices of a person see what any of them sends, except the sending one', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  const laptop = linked(world, ada);
  world.messages.send(handset(ada), { id: 'P', to: ben, content: text('by phone') });
  world.messages.send(desk.device, { id: 'D', to: ben, content: text('by desk') });
  await settled();
  const received = (who: typeof desk) =>
    who.news('message').map(({ message }) => [message.id, message.fromMe]);
  expect(received(desk)).toEqual([['P', true]]);
  expect(received(laptop)).toEqual([
    ['P', true],
    ['D', true],
  ]);
  expect(world.messages.seenBy(ada).map(({ id, fromMe }) => [id, fromMe])).toEqual([
    ['P', true],
    ['D', true],
  ]);
});

test('a person in lid mode is addressed by LID, with the number known to the network', async () => {
  const world = createTestWorld();
  world.phones.update(handset(ada), { lidMode: true });
  const { lid } = world.phones.get(ada);
  const desk = linked(world, ben);
  world.messages.send(handset(ada), { id: 'M', to: ben, content: text('hi') });
  await settled();
  const message = desk.news('message')[0]?.message;
  expect(message?.chat.jid).toBe(`${lid}@lid`);
  expect(message?.sender).toMatchObject({ phone: ada, lid });
  world.messages.send(desk.device, { id: 'N', to: `${lid}@lid`, content: text('back') });
  expect(world.messages.seenBy(ada, { chat: ben }).map(({ id }) => id)).toEqual(['M', 'N']);
});

test('a message to an unknown number, an invalid address or none is refused', () => {
  const world = createTestWorld();
  const send = (to: string, content = text('hi')) =>
    refusal(() => world.messages.send(handset(ada), { id: 'M', to, content }));
  expect(send(unregistered)).toBe('not_registered');
  expect(send('hello@example.com')).toBe('bad_request');
  expect(send('1@g.us')).toBe('not_found');
  expect(send('1@newsletter')).toBe('bad_request');
  expect(send(ben, text(''))).toBe('bad_request');
  expect(world.messages.seenBy(ada)).toEqual([]);
});

test('a message of a blocked sender is dropped; the blocker cannot write', () => {
  const world = createTestWorld();
  world.blocklists.block(handset(ben), ada);
  world.messages.send(handset(ada), { id: 'M', to: ben, content: text('hi') });
  expect(world.messages.seenBy(ben)).toEqual([]);
  expect(world.messages.find(ada, 'M')?.receipts).toEqual([]);
  expect(refusal(() => world.messages.send(handset(ben), { id: 'N', to: ada, content: text('no') }))).toBe(
    'forbidden',
  );
});

test('a blocked person gets no presence, no typing and no photo', async () => {
  const world = createTestWorld();
  world.messages.send(handset(ada), { id: 'before', to: ben, content: text('friends') });
  const blocked = linked(world, ada);
  const blocking = linked(world, ben);
  world.blocklists.block(handset(ben), ada);
  await settled();
  const received = blocking.items.length;
  world.calls.offer(handset(ada), ben, { video: false });
  world.presence.typing(handset(ada), ben, { typing: true, media: 'text' });
  world.messages.send(handset(ada), { id: 'S', to: statusJid, content: text('sun'), audience: [ben] });
  world.messages.send(handset(ben), { id: 'T', to: statusJid, content: text('moon'), audience: [ada] });
  world.presence.subscribe(blocked.device, ben);
  await settled();
  expect(blocking.items.slice(received).map(({ news }) => news.kind)).toEqual(['message']);
  expect(blocked.news('presence')).toEqual([]);
  expect(world.messages.find(ben, 'S')).toBeUndefined();
  expect(world.messages.find(ada, 'T')).toBeUndefined();
});

test('the author sees the receipts of all recipients, the others only their own', () => {
  const world = createTestWorld();
  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben, cleo] });
  world.messages.send(handset(ada), { id: 'M', to: group.jid, content: text('hi') });
  const readers = (phone: string) =>
    world.messages.find(phone, 'M')?.receipts.map(({ person }) => person.phone);
  expect(readers(ada)).toEqual([ben, cleo]);
  expect(readers(cleo)).toEqual([cleo]);
});

test('a chat with oneself is a chat', async () => {
  const world = createTestWorld();
  const desk = linked(world, ada);
  world.messages.send(desk.device, { id: 'M', to: ada, content: text('note') });
  await settled();
  expect(world.messages.seenBy(ada, { chat: ada })).toMatchObject([{ id: 'M', fromMe: true, receipts: [] }]);
  expect(desk.items).toEqual([]);
});

test('a disappearing timer holds for later messages, which disappear after it', () => {
  const world = createTestWorld();
  world.messages.send(handset(ada), { id: 'before', to: ben, content: text('stays') });
  world.messages.send(handset(ada), {
    id: 'timer',
    to: ben,
    content: { type: 'disappearing', seconds: 86_400 },
  });
  world.messages.send(handset(ben), { id: 'after', to: ada, content: text('goes') });
  expect(world.messages.find(ada, 'after')?.expiresInSeconds).toBe(86_400);
  world.clock.advance(86_400_000);
  expect(world.messages.seenBy(ben).map(({ id }) => id)).toEqual(['before', 'timer']);
  expect(
    refusal(() =>
      world.messages.send(handset(ada), {
        id: 'odd',
        to: ben,
        content: { type: 'disappearing', seconds: 5 },
      }),
    ),
  ).toBe('bad_request');
});

test('a story reaches its audience only, for a day', async () => {
  const world = createTestWorld();
  const desk = linked(world, ben);
  world.messages.send(handset(ada), {
    id: 'S',
    to: statusJid,
    content: text('sun'),
    audience: [ben, unregistered],
  });
  await settled();
  expect(desk.news('message')).toMatchObject([
    { message: { id: 'S', chat: { kind: 'status', jid: statusJid } } },
  ]);
  expect(world.messages.seenBy(cleo)).toEqual([]);
  expect(world.messages.seenBy(ben, { chat: statusJid })).toHaveLength(1);
  world.clock.advance(86_400_000);
  expect(world.messages.seenBy(ben, { chat: statusJid })).toEqual([]);
});

test('a story without an audience goes to the contacts, and its author can delete it', async () => {
  const world = createTestWorld();
  world.contacts.save(handset(ada), { phone: cleo, firstName: 'Cleo', fullName: 'Cleo' });
  world.messages.send(handset(ada), { id: 'S', to: statusJid, content: text('sun') });
  expect(world.messages.seenBy(ben)).toEqual([]);
  world.messages.send(handset(ada), { id: 'X', to: statusJid, content: { type: 'revoke', target: 'S' } });
  expect(world.messages.find(cleo, 'S')?.revoked?.by.phone).toBe(ada);
});

test('media must be stored before it can be sent', () => {
  const world = createTestWorld();
  const media = { id: 'feed', mimetype: 'image/png', size: 3 };
  expect(
    refusal(() => world.messages.send(handset(ada), { id: 'M', to: ben, content: { type: 'image', media } })),
  ).toBe('bad_request');
  const stored = world.media.put(new Uint8Array([1, 2, 3]), 'image/png');
  world.messages.send(handset(ada), { id: 'M', to: ben, content: { type: 'image', media: stored } });
  expect(world.media.read(stored.id)).toEqual(new Uint8Array([1, 2, 3]));
});
