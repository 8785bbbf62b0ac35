import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnGateway, startGateway } from './gateway.ts';
import {
  type LinkedNumber,
  linkedNumber,
  type Someone,
  someone,
  untilConnected,
  WATCHING,
} from './numbers.ts';
import { accepted, send } from './sends.ts';

/** State that survives the replacement of all processes. */

// A new process starts with the machine's time, so this one must not have moved its clock.
let gateway: OwnGateway;
let ada: Someone;
let rejecting: LinkedNumber;
let spent: LinkedNumber;
let firstId: string;

const text = () => ({ to: ada.phone, text: 'Hello' });

/** Returns the number of accepted sends and the refusal after them. */
async function sendUntilRefused(number: LinkedNumber, sent = 0): Promise<{ sent: number; answer: unknown }> {
  const answer = await send(number, text());
  return answer.status === 202 ? sendUntilRefused(number, sent + 1) : { sent, answer };
}

beforeAll(async () => {
  gateway = await startGateway();
  ada = await someone(gateway);
  [rejecting, spent] = await Promise.all([linkedNumber(gateway), linkedNumber(gateway, { plan: 'free' })]);
  await rejecting.on('POST', '/calls/auto-reject', { enabled: true });
  firstId = await accepted(spent, text(), 'before');
  await sendUntilRefused(spent);
  await gateway.restart();
});
afterAll(() => gateway.stop());

test('limits and keys are kept', async () => {
  expect(await accepted(spent, text(), 'before')).toBe(firstId);
  // A restart takes a while: the session's limit refills meanwhile, the plan of ten a minute does not.
  const { sent, answer } = await sendUntilRefused(spent);
  expect(sent).toBeLessThan(9);
  expect(answer).toMatchObject({ status: 429, body: { error: 'session send rate exceeded' } });
});

test('calls are still rejected where the number rejects them', async () => {
  await untilConnected(rejecting);
  expect((await rejecting.on('GET', '/calls/auto-reject')).body).toMatchObject({ auto_reject: true });
  await gateway.sandbox('POST', `/phones/${ada.phone}/calls`, { to: rejecting.phone });
  await vi.waitFor(async () => {
    const { calls } = await gateway.sandbox<{ calls: { state: string }[] }>('GET', `/phones/${ada.phone}`);
    expect(calls).toMatchObject([{ state: 'rejected' }]);
  }, WATCHING);
});
