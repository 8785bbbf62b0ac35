import assert from 'node:assert/strict';
import type { OwnGateway } from '../../conformance/gateway.ts';
import { linkNumber, newPhone, until } from '../linked-number.ts';
import { Integrator } from './integrator.ts';
import { killWhile, untilOnline } from './interruptions.ts';

const LIFTED = { path: 'restrict', body: { for_s: 0 } };
const PLENTY = { path: 'cap', body: { quota: 1_000_000, used: 0 } };
/** States that the network imposes on the number, one after the other. */
const STANDINGS = {
  restricted: [{ path: 'restrict', body: { type: 'RESTRICT_ALL_COMPANIONS', for_s: 1_800 } }],
  capped: [LIFTED, { path: 'cap', body: { quota: 5, used: 5, cycle_s: 1_800 } }],
  healthy: [LIFTED, PLENTY],
} as const;
const ORDER = ['restricted', 'capped', 'healthy'] as const;
/** Longer than a restriction, and than the pause after several refusals. */
const PASSING_S = 3_700;
/** Reports by people, once in so many rounds. */
const ROUNDS_PER_REPORT = 12;

/** A message of the number, and its outcome. */
interface Sent {
  readonly to: string;
  readonly key: string;
  readonly isNew: boolean;
  messageId?: string;
}

/** The network's view of the number. */
interface Truth {
  readonly restriction: object | null;
  readonly new_chats: { readonly status: string } | null;
}

/**
 * A number goes through restrictions, caps and normal times while it writes to known people and to new ones, and they to it, and
 * the gateway is killed once in each round. After every restart its health matches the network; accepted messages have arrived
 * once; held-back ones have not, until they are sent again in normal times; and every event was counted once.
 */
export async function throughStandings(
  gateway: OwnGateway,
  { rounds, chance }: { rounds: number; chance: { below(limit: number): number } },
): Promise<void> {
  const integrator = new Integrator(gateway, await linkNumber(gateway));
  const { number } = integrator;
  const [friend, stranger] = [await newPhone(gateway), await newPhone(gateway)];
  const sends: Sent[] = [];
  const written = new Map<string, string>();
  let held = 0;

  const write = async (send: Sent): Promise<void> => {
    const { messageId } = await integrator.tryToWrite(send.to, send.key);
    if (messageId === undefined) return;
    send.messageId = messageId;
  };
  const textsOn = async (phone: string, chat = number.phone): Promise<string[]> => {
    const path = `/phones/${phone}/messages?chat=${chat}@s.whatsapp.net&limit=1000`;
    const { messages } = await gateway.sandbox<{ messages: { text: string; from_me: boolean }[] }>(
      'GET',
      path,
    );
    return messages.map(({ text, from_me }) => `${from_me ? 'wrote' : 'got'} ${text}`);
  };
  /** Written once, also when a kill makes the outcome unknown. */
  const writeBack = async (from: string, text: string): Promise<void> => {
    written.set(text, from);
    if ((await textsOn(from)).includes(`wrote ${text}`)) return;
    await gateway.sandbox('POST', `/phones/${from}/messages`, { to: number.phone, text });
  };
  const statusOf = async ({ messageId }: Sent): Promise<string> =>
    messageId === undefined
      ? 'held'
      : (await number.call<{ status: string }>('GET', `/messages/${messageId}`)).body.status;
  const truth = (): Promise<Truth> => gateway.sandbox<Truth>('GET', `/phones/${number.phone}`);

  /** Waits until the health of the number matches the network. */
  const untilTrue = async (): Promise<void> => {
    const { restriction, new_chats } = await truth();
    const isHeld = restriction !== null || new_chats?.status === 'CAPPED';
    await until(
      'the health that the network reports',
      async () => (await integrator.health()).restriction?.kind,
      (kind) => kind === (restriction ? 'reachout_timelock' : isHeld ? 'new_chat_cap' : undefined),
    );
  };

  await write(remember({ to: friend, key: 'hello', isNew: true }));
  await writeBack(stranger, 'I write first');
  await until('a first message', () => statusOf(sends[0] as Sent), isOver);

  function remember(send: Sent): Sent {
    sends.push(send);
    return send;
  }

  for (let round = 0; round < rounds; round += 1) {
    const next = ORDER[round % ORDER.length] ?? 'healthy';
    const decree = async (): Promise<void> => {
      for (const { path, body } of STANDINGS[next])
        await gateway.sandbox('POST', `/phones/${number.phone}/${path}`, body);
    };
    const newContact = await newPhone(gateway);
    const now = [
      remember({ to: newContact, key: `notice ${round}`, isNew: true }),
      remember({ to: friend, key: `answer ${round}`, isNew: false }),
      remember({ to: stranger, key: `reply ${round}`, isNew: false }),
    ];
    const replies = (): Promise<unknown> =>
      Promise.all([writeBack(friend, `thanks ${round}`), writeBack(stranger, `and ${round}`)]);
    await killWhile(gateway, chance, () => Promise.all([decree(), ...now.map(write), replies()]));
    await untilOnline(integrator);
    await untilTrue();
    await decree();
    await untilTrue();
    for (const send of now) if (send.messageId === undefined) await write(send);
    await replies();
    // Known people are reached under every restriction of new chats.
    for (const send of now.slice(1)) {
      assert.ok(send.messageId, `${send.key} was held back, and goes to newContact whom the number knows`);
      await until(send.key, () => statusOf(send), isOver);
    }
    assert.ok(next !== 'healthy' || now.every(({ messageId }) => messageId), 'held back in good times');
    for (const send of sends.filter(({ messageId }) => messageId === undefined)) {
      assert.deepEqual(await textsOn(send.to), [], `${send.key} was held back, and has arrived`);
    }
    held += now.filter(({ messageId }) => messageId === undefined).length;
    if (next === 'healthy' || round === rounds - 1) await settle();
    if ((round + 1) % ROUNDS_PER_REPORT === 0 || round === rounds - 1) report(round + 1);
  }

  /** Moves the clock; everything held back or waiting leaves. */
  async function settle(): Promise<void> {
    for (const { path, body } of STANDINGS.healthy)
      await gateway.sandbox('POST', `/phones/${number.phone}/${path}`, body);
    await integrator.travel(PASSING_S);
    await untilTrue();
    for (const send of sends) if (send.messageId === undefined) await write(send);
    for (const send of sends) await until(`the end of ${send.key}`, () => statusOf(send), isOver);
    await compare();
  }

  /** Compares the counts with the real events. */
  async function compare(): Promise<void> {
    const ends = new Map(await Promise.all(sends.map(async (send) => [send, await statusOf(send)] as const)));
    for (const [{ to, key }, end] of ends) {
      const copies = (await textsOn(to)).filter((text) => text === `got ${integrator.textOf(key)}`);
      assert.equal(
        copies.length,
        end === 'failed' ? 0 : 1,
        `${key} is ${end}, and there are ${copies.length}`,
      );
    }
    const count = (fits: (send: Sent, end: string) => boolean): number =>
      [...ends].filter(([send, end]) => fits(send, end)).length;
    assert.equal(
      await integrator.total('new_chats'),
      count(({ isNew }) => isNew),
    );
    assert.equal(
      await integrator.total('sent'),
      count((_, end) => end !== 'failed'),
    );
    assert.equal(
      await integrator.total('refused_463_unknown'),
      count(({ isNew }, end) => isNew && end === 'failed'),
    );
    assert.equal(await integrator.total('refused_463_known'), 0);
    // The first friend has answered; an answer counts only after a message of the number.
    assert.equal(await integrator.total('replies'), 1);
    for (const [text, from] of written)
      assert.equal((await textsOn(from)).filter((each) => each === `wrote ${text}`).length, 1, text);
  }

  function report(kills: number): void {
    console.log(
      `through standings: ${kills} kills, ${sends.length} messages, ${held} of them held back, none lost, none early, none doubled, counts exact`,
    );
  }
}

const isOver = (status: string): boolean => !['accepted', 'held'].includes(status);
