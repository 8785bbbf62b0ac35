import type { World } from '@parley/sandbox/world';
import { expect } from 'vitest';
import { NetworkError } from '../../errors.ts';
import type { NetworkEvent } from '../../events.ts';
import type { OpenNumber, Stage, TestContact } from './stage.ts';

/** The failure of a call; throws when it did not fail, or with anything but the port's own error. */
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

/** Kinds of failure after which the same send is not repeated. */
export const FINAL = ['permanent', 'refused', 'not_found', 'malformed'];

/** `value`; throws when it is undefined, so that the test waits or fails. */
export function defined<T>(value: T | undefined, what = 'value'): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/** Sends a text from a phone; returns its id. */
export function say(stage: Stage, from: TestContact, to: string, text = 'Hello'): string {
  return stage.world.messages.send(from.actor, {
    id: stage.world.messages.newId(),
    to,
    content: { type: 'text', text },
  }).id;
}

/** Events arrive in order, so once a message sent now has arrived, all earlier events have. */
export async function catchUp(stage: Stage, me: OpenNumber, from: TestContact): Promise<void> {
  const marker = say(stage, from, me.jid, 'marker');
  await stage.eventually(() => defined(me.witness.message(marker), 'marker'));
}

/** Exchanges a message, so that the network shows the two each other's presence. */
export async function getAcquainted(stage: Stage, me: OpenNumber, other: TestContact): Promise<void> {
  await catchUp(stage, me, other);
  await me.session.send({
    messageId: stage.newMessageId(),
    to: other.jid,
    content: { kind: 'text', text: 'Nice to meet you' },
  });
}

export const idsOf = (events: readonly NetworkEvent[]): string[] => events.map(({ id }) => id);

/** The ids of the messages among them, in order. */
export const messageIdsOf = (events: readonly NetworkEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'message' ? event.messageId : []));

/** One person's phone's view of one message. */
export const bubble = (world: World, viewer: TestContact, messageId: string) =>
  defined(world.messages.find(viewer.phone, messageId), 'bubble on the phone');

/** A person may be addressed by either of their addresses. */
export function expectPerson(jid: string | undefined, person: TestContact): void {
  expect([person.jid, person.lid]).toContain(jid);
}
