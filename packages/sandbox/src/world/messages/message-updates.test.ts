import { expect, test } from 'vitest';
import { ada, ben, cleo, createTestWorld, handset, linked, refusal, settled, text } from '../fixture.ts';
import type { Content } from './content.ts';
import { optionHash } from './polls.ts';

function aChat() {
  const world = createTestWorld();
  world.messages.send(handset(ada), { id: 'M', to: ben, content: text('helo') });
  let n = 0;
  const send = (phone: string, content: Content, to = phone === ada ? ben : ada) => {
    n += 1;
    return world.messages.send(handset(phone), { id: `X${n}`, to, content });
  };
  return { world, send };
}

test('an author may edit a message for 20 minutes', () => {
  const { world, send } = aChat();
  world.clock.advance(20 * 60_000);
  send(ada, { type: 'edit', target: 'M', text: 'hello' });
  expect(world.messages.find(ben, 'M')?.edited?.text).toBe('hello');
  expect(world.messages.seenBy(ben)).toHaveLength(1);
  world.clock.advance(1);
  expect(refusal(() => send(ada, { type: 'edit', target: 'M', text: 'late' }))).toBe('forbidden');
});

test('an edit is refused for a foreign message, one without text and a deleted one', () => {
  const { world, send } = aChat();
  world.messages.send(handset(ada), {
    id: 'L',
    to: ben,
    content: { type: 'location', latitude: 1, longitude: 2 },
  });
  expect(refusal(() => send(ben, { type: 'edit', target: 'M', text: 'mine' }))).toBe('forbidden');
  expect(refusal(() => send(ada, { type: 'edit', target: 'L', text: 'there' }))).toBe('bad_request');
  expect(refusal(() => send(ada, { type: 'edit', target: 'none', text: 'x' }))).toBe('not_found');
  send(ada, { type: 'revoke', target: 'M' });
  expect(refusal(() => send(ada, { type: 'edit', target: 'M', text: 'x' }))).toBe('gone');
});

test('an edit that is sent twice is one edit, even after the edit window', async () => {
  const { world } = aChat();
  const edit = { id: 'E', to: ben, content: { type: 'edit', target: 'M', text: 'hello' } } as const;
  world.messages.send(handset(ada), edit);
  world.clock.advance(60 * 60_000);
  expect(world.messages.send(handset(ada), edit).duplicate).toBe(true);
});

test('in a direct chat only the author deletes, in a group the admins may too', () => {
  const { world, send } = aChat();
  expect(refusal(() => send(ben, { type: 'revoke', target: 'M' }))).toBe('forbidden');

  const { group } = world.groups.create(handset(ada), { name: 'Club', participants: [ben, cleo] });
  world.messages.send(handset(ben), { id: 'G', to: group.jid, content: text('spam') });
  expect(refusal(() => send(cleo, { type: 'revoke', target: 'G' }, group.jid))).toBe('forbidden');
  send(ada, { type: 'revoke', target: 'G' }, group.jid);
  expect(world.messages.find(cleo, 'G')?.revoked?.by.phone).toBe(ada);
});

test('a person has one reaction to a message, and may remove it', () => {
  const { world, send } = aChat();
  send(ben, { type: 'reaction', target: 'M', emoji: '👍' });
  send(ben, { type: 'reaction', target: 'M', emoji: '🎉' });
  expect(world.messages.find(ada, 'M')?.reactions.map(({ emoji }) => emoji)).toEqual(['🎉']);
  send(ben, { type: 'reaction', target: 'M', emoji: '' });
  expect(world.messages.find(ada, 'M')?.reactions).toEqual([]);
});

test('a reaction to an unknown message is carried all the same', async () => {
  const { world, send } = aChat();
  const desk = linked(world, ada);
  send(ben, { type: 'reaction', target: 'unknown', emoji: '👍' });
  await settled();
  expect(desk.news('message')[0]?.message.content).toEqual({
    type: 'reaction',
    target: 'unknown',
    emoji: '👍',
  });
});

test('a vote counts for known options, within the limit, and the last one replaces the others', async () => {
  const { world, send } = aChat();
  const desk = linked(world, ada);
  const poll = {
    type: 'poll',
    name: 'Tea?',
    options: ['yes', 'no', 'milk'],
    selectableCount: 1,
    secret: 'AA==',
  } as const;
  world.messages.send(desk.device, { id: 'P', to: ben, content: { ...poll, options: [...poll.options] } });
  world.messages.vote(ben, 'P', ['yes']);
  world.messages.vote(ben, 'P', ['no']);
  expect(world.messages.find(ada, 'P')?.votes.map(({ hashes }) => hashes)).toEqual([[optionHash('no')]]);
  expect(refusal(() => world.messages.vote(ben, 'P', ['yes', 'no']))).toBe('bad_request');
  expect(refusal(() => world.messages.vote(ben, 'P', ['coffee']))).toBe('bad_request');
  expect(refusal(() => world.messages.vote(ben, 'M', ['yes']))).toBe('bad_request');
  expect(refusal(() => world.messages.vote(cleo, 'P', ['yes']))).toBe('not_found');
  world.messages.vote(ben, 'P', []);
  expect(world.messages.find(ada, 'P')?.votes[0]?.hashes).toEqual([]);
  await settled();
  expect(desk.news('message').map(({ message }) => message.content)).toMatchObject([
    { type: 'poll_vote', target: 'P', hashes: [optionHash('yes')] },
    { hashes: [optionHash('no')] },
    { hashes: [] },
  ]);
  expect(refusal(() => send(ada, { ...poll, options: ['only', 'only'] }))).toBe('bad_request');
  expect(refusal(() => send(ada, { ...poll, options: ['a', 'b'], selectableCount: 3 }))).toBe('bad_request');
});

test('pressing a button or choosing a row answers its sender', async () => {
  const { world } = aChat();
  const desk = linked(world, ada);
  world.messages.send(desk.device, {
    id: 'I',
    to: ben,
    content: {
      type: 'interactive',
      body: 'Well?',
      buttons: [
        { type: 'quick_reply', id: 'yes', text: 'Yes' },
        { type: 'cta_url', text: 'Look', url: 'https://example.com' },
        {
          type: 'single_select',
          text: 'More',
          sections: [{ title: 'S', rows: [{ id: 'row-1', title: 'First' }] }],
        },
      ],
    },
  });
  world.messages.pressButton(ben, 'I', 'yes');
  world.messages.pressButton(ben, 'I', 'row-1');
  expect(refusal(() => world.messages.pressButton(ben, 'I', 'no'))).toBe('not_found');
  await settled();
  expect(desk.news('message').map(({ message }) => message.content)).toMatchObject([
    { type: 'button_response', target: 'I', id: 'yes', text: 'Yes' },
    { type: 'button_response', id: 'row-1', text: 'First' },
  ]);
});
