import { randomUUID } from 'node:crypto';
import type { MessageAccepted, MessageRecord, MessageState } from '@parley/contract';
import { expect, vi } from 'vitest';
import type { Answer } from './ask.ts';
import type { Gateway } from './gateway.ts';
import { type LinkedNumber, linkedNumber, type PhoneSettings, WATCHING } from './numbers.ts';

export type Body = Record<string, unknown>;

/** A message as a virtual phone shows it. */
export interface Shown extends Body {
  readonly message_id: string;
}

/** The accepted message, or the error. */
type SendAnswer = Partial<MessageAccepted> & { readonly error?: string };

export function send(number: LinkedNumber, body: Body, key: string = randomUUID()) {
  return number.call<SendAnswer>(
    'POST',
    '/messages',
    { session_id: number.sessionId, ...body },
    { 'Idempotency-Key': key },
  );
}

/** Sends and returns the id; fails unless it was accepted. */
export async function accepted(number: LinkedNumber, body: Body, key?: string): Promise<string> {
  const answer = await send(number, body, key);
  expect(answer).toMatchObject({ status: 202, body: { status: 'accepted' } });
  return answer.body.message_id ?? '';
}

export function record({ call }: LinkedNumber, messageId: string): Promise<Answer<MessageRecord>> {
  return call('GET', `/messages/${messageId}`);
}

export async function untilStatus(
  number: LinkedNumber,
  messageId: string,
  status: MessageState,
): Promise<MessageRecord> {
  return vi.waitFor(async () => {
    const { body } = await record(number, messageId);
    expect(body).toMatchObject({ message_id: messageId, status });
    return body;
  }, WATCHING);
}

export async function messagesOn(gateway: Gateway, { phone }: { phone: string }): Promise<Shown[]> {
  const { messages } = await gateway.sandbox<{ messages: Shown[] }>('GET', `/phones/${phone}/messages`);
  return messages;
}

/** Waits until a phone has the message, and returns it. */
export async function shownOn(
  gateway: Gateway,
  someone: { phone: string },
  messageId: string,
): Promise<Shown> {
  return vi.waitFor(async () => {
    const found = (await messagesOn(gateway, someone)).find(({ message_id }) => message_id === messageId);
    if (!found) throw new Error(`${someone.phone} does not have ${messageId}`);
    return found;
  }, WATCHING);
}

/** Provides numbers that may each send five messages at once, so that no test waits for a limit. */
export function createFleet(gateway: Gateway, settings: PhoneSettings = {}) {
  const BURST = 5;
  let left = 0;
  let current: LinkedNumber | undefined;
  return async (sends = 1): Promise<LinkedNumber> => {
    if (!current || left < sends) {
      current = await linkedNumber(gateway, settings);
      left = BURST;
    }
    left -= sends;
    return current;
  };
}
