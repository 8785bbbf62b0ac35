import type { World } from '@parley/sandbox/world';
import { expect } from 'vitest';
import { NetworkError } from '../../errors.ts';
import type { NetworkEvent } from '../../events.ts';
import type { OpenNumber, Someone, Stage } from './stage.ts';

/** How a call failed; complains when it did not, or with anything but the port's own error. */
export async function failureOf(call: Promise<unknown>): Promise<NetworkError> {
  const outcome = await call.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  if (!(outcome instanceof NetworkError)) {
    throw new Error('expected the call to fail with a NetworkError', { cause: outcome });
  }
  return outcome;
}

/** Kinds of failure after which nobody tries the same send again. */
export const FINAL = ['permanent', 'refused', 'not_found', 'malformed'];

/** `value`, where nothing means that the test has to wait or has failed. */
export function defined<T>(value: T | undefined, what = 'value'): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/** A text from a phone, handed to the network; answers its id. */
export function say(stage: Stage, from: Someone, to: string, text = 'Hello'): string {
  return stage.world.messages.send(from.actor, {
    id: stage.world.messages.newId(),
    to,
    content: { type: 'text', text },
  }).id;
}

/** Events come in order, so when a message that is sent now has arrived, so has all that was on its way before. */
export async function catchUp(stage: Stage, me: OpenNumber, from: Someone): Promise<void> {
  const marker = say(stage, from, me.jid, 'marker');
  await stage.eventually(() => defined(me.witness.message(marker), 'marker'));
}

/** Exchanges a message, so that the network lets the two see each other's presence. */
export async function getAcquainted(stage: Stage, me: OpenNumber, other: Someone): Promise<void> {
  await catchUp(stage, me, other);
  await me.session.send({
    messageId: stage.newMessageId(),
    to: other.jid,
    content: { kind: 'text', text: 'Nice to meet you' },
  });
}

export const idsOf = (events: readonly NetworkEvent[]): string[] => events.map(({ id }) => id);

/** The ids of the messages among them, in their order. */
export const messageIdsOf = (events: readonly NetworkEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'message' ? event.messageId : []));

/** What one person's phone shows of one message. */
export const bubble = (world: World, viewer: Someone, messageId: string) =>
  defined(world.messages.find(viewer.phone, messageId), 'bubble on the phone');

/** A person may go by either of their addresses. */
export function expectPerson(jid: string | undefined, person: Someone): void {
  expect([person.jid, person.lid]).toContain(jid);
}
