import { expect, test } from 'vitest';
import { ada, createTestWorld } from './fixture.ts';
import { enlarge } from './fixture-large.ts';

test('an account gets the size that was asked for', () => {
  const world = createTestWorld();
  enlarge(world, ada, { contacts: 50, groups: 5, historyBytes: 200_000 });
  expect(world.contacts.list(ada)).toHaveLength(50);
  expect(world.groups.of(ada)).toHaveLength(5);
  const texts = world.messages
    .seenBy(ada)
    .map(({ content }) => (content.type === 'text' ? content.text : ''));
  expect(texts.reduce((sum, text) => sum + text.length, 0)).toBe(200_000);
});
