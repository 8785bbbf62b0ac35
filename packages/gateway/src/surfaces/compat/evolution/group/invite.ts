import { createHash } from 'node:crypto';
import { operations } from '@parley/contract';
import { ApiError } from '#kernel';
import { addressOf } from '../fields.ts';
import type { InstanceCall } from '../instances.ts';
import { invalid, stopWhenLeft } from '../refusals.ts';

interface Invitation {
  readonly id: string;
  readonly group_id: string;
  readonly numbers: readonly string[];
  readonly description: string | undefined;
}

/**
 * Sends the link of a group as one text per person. A repeated request within the lifetime of idempotency keys sends only to those without
 * the link, so a request that a limit has interrupted can be repeated until it is complete.
 */
export async function sendInvites(
  call: InstanceCall,
  { id, group_id, numbers, description }: Invitation,
): Promise<string> {
  const people = [...new Set(numbers.map(addressOf))];
  const wrong = people.find((each) => !PERSON.test(each));
  if (wrong !== undefined)
    throw invalid(`numbers must be phone numbers or addresses of people: ${JSON.stringify(wrong)} is not`);
  const { invite_link } = await call.invoke(operations.getGroupInvite, { params: { id, group_id } });
  const text = description ? `${description}\n\n${invite_link}` : invite_link;
  let sent = 0;
  for (const to of people) {
    stopWhenLeft(call);
    const key = createHash('sha256')
      .update(JSON.stringify([group_id, to, text]))
      .digest('base64url');
    try {
      await call.invoke(operations.sendMessage, {
        body: { session_id: id, to, text },
        headers: { 'Idempotency-Key': `invite-${key}` },
      });
    } catch (error) {
      throw sent > 0 && error instanceof ApiError ? stoppedAt(error, sent, people.length) : error;
    }
    sent += 1;
  }
  return invite_link;
}

const PERSON = /^\d{5,20}(?:@s\.whatsapp\.net)?$|^\d{5,25}@lid$/;

/** Error with the number of invitations sent, and how to continue. */
function stoppedAt(refused: ApiError, sent: number, all: number): ApiError {
  const text = `${sent} of ${all} invitations are sent, then: ${refused.message}. Send the same request again for the others`;
  const { code, status, retryAfterSeconds } = refused;
  return new ApiError({ code, status, text, retryAfterSeconds }, refused.cause);
}
