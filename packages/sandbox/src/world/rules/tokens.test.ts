import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ada,
  ben,
  cleo,
  createTestWorld,
  handset,
  linked,
  settled,
  type TestWorld,
  text,
} from '../fixture.ts';

const WEEK = 7 * 86_400_000;
let world: TestWorld;
beforeEach(() => {
  world = createTestWorld({ tokensExchanged: false });
});

const tokensOf = (listening: ReturnType<typeof linked>) =>
  listening.news('token').map(({ token }) => Buffer.from(token, 'base64'));

describe('a token of trust', () => {
  it('is given to the devices of the trusted person only', async () => {
    const [adas, bens, cleos] = [linked(world, ada), linked(world, ben), linked(world, cleo)];
    world.tokens.issue(bens.device, ada);
    await settled();
    const [token = Buffer.alloc(0)] = tokensOf(adas);
    expect(token).toHaveLength(32);
    expect([...bens.items, ...cleos.items]).toEqual([]);
    expect(world.tokens.isTrusted(ada, ben, token)).toBe(true);
    expect(world.tokens.isTrusted(cleo, ben, token)).toBe(false);
    expect(world.tokens.isTrusted(ben, ada, token)).toBe(false);
    expect(world.tokens.isTrusted(ada, ben, Buffer.alloc(32))).toBe(false);
  });

  it('stays the same within a week, changes in the next, and is valid for four', async () => {
    const adas = linked(world, ada);
    world.clock.advance(WEEK - (world.clock.now() % WEEK));
    for (const pause of [0, WEEK - 1, 1]) {
      world.clock.advance(pause);
      world.tokens.issue(handset(ben), ada);
    }
    await settled();
    const [first = Buffer.alloc(0), again, next = Buffer.alloc(0)] = tokensOf(adas);
    expect(again).toEqual(first);
    expect(next).not.toEqual(first);
    world.clock.advance(3 * WEEK - 1);
    expect(world.tokens.isTrusted(ada, ben, first)).toBe(true);
    world.clock.advance(1);
    expect(world.tokens.isTrusted(ada, ben, first)).toBe(false);
    expect(world.tokens.isTrusted(ada, ben, next)).toBe(true);
    expect(world.tokens.heldBy(ada)).toEqual(
      new Map([[ben, { token: new Uint8Array(next), at: expect.any(Number) }]]),
    );
    world.clock.advance(WEEK);
    expect(world.tokens.heldBy(ada).size).toBe(0);
  });

  it('comes from a phone with its first message of the week', async () => {
    const adas = linked(world, ada);
    for (const id of ['A', 'B']) world.messages.send(handset(ben), { id, to: ada, content: text(id) });
    await settled();
    expect(adas.items.map(({ news }) => news.kind)).toEqual(['message', 'token', 'message']);
  });

  it('is counted when a device asks for it, but not when a phone issues it', () => {
    world.messages.send(handset(ben), { id: 'A', to: ada, content: text('hi') });
    expect(world.tokens.requestsOf(ben)).toBe(0);
    for (const who of [ada, cleo]) world.tokens.issue(handset(ben), who);
    expect(world.tokens.requestsOf(ben)).toBe(2);
  });
});

it('for a first contact is derived from the own salt and the address of the other', () => {
  const salt = world.tokens.nctSalt(ada);
  expect(salt).toHaveLength(32);
  expect(Buffer.from(world.tokens.nctSalt(ada))).toEqual(Buffer.from(salt));
  expect(Buffer.from(world.tokens.nctSalt(ben))).not.toEqual(Buffer.from(salt));
  const token = createHmac('sha256', salt)
    .update(`${world.phones.get(ben).lid}@lid`)
    .digest();
  expect(world.tokens.isFirstContact(ada, ben, token)).toBe(true);
  expect(world.tokens.isFirstContact(ada, cleo, token)).toBe(false);
  expect(world.tokens.isFirstContact(ben, ada, token)).toBe(false);
});
