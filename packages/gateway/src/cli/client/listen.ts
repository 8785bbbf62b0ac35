import type { EventKind, ParleyEvent, StreamedEvent } from 'parley-sdk';
import { createSystemClock, systemRandom } from '#kernel';
import { createEgress, EgressError } from '#platform/egress';
import { signedHeaders } from '#webhooks';
import { CommandError, type Run } from '../command.ts';
import type { LISTEN } from '../specs.ts';
import type { Terminal } from '../terminal.ts';
import { account } from './connect.ts';
import { sessionIdOf } from './session.ts';

/** As long as the gateway waits for a webhook's answer. */
const ANSWER_WITHIN_MS = 10_000;
const SECRET_BYTES = 32;

export const listen: Run<typeof LISTEN> = async ({ options, connection, terminal }) => {
  const { from, kind, after, forward, secret } = options;
  const { events } = account(connection);
  const forwarder = forward === undefined ? undefined : createForwarder(forward, secret, terminal);
  try {
    const stream = events.stream({
      session_id: from === undefined ? undefined : sessionIdOf(from),
      kind: kind as EventKind | undefined,
      after,
      signal: terminal.signal,
      onOpen: () => terminal.note('Listening …'),
      onReconnect: ({ message }, delayMs) =>
        terminal.note(`${message}; trying again in ${Math.ceil(delayMs / 1_000)} s`),
    });
    for await (const streamed of stream) {
      terminal.show(streamed, () => `${streamed.cursor}  ${JSON.stringify(streamed.event)}`);
      await forwarder?.pass(streamed);
    }
  } finally {
    await forwarder?.close();
  }
};

/** Brings events to a program on this machine as the gateway would bring them to a receiver, but once: who tries things out sees failures. */
function createForwarder(url: string, given: string | undefined, terminal: Terminal) {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandError('--forward must be an http or https address');
  const secret = given ?? `whsec_${Buffer.from(systemRandom.bytes(SECRET_BYTES)).toString('base64url')}`;
  terminal.note(`Forwarding to ${url}${given === undefined ? `, signed with ${secret}` : ''}`);
  const clock = createSystemClock();
  const egress = createEgress({ clock, publicOnly: false });
  return {
    async pass({ cursor, event }: StreamedEvent): Promise<void> {
      const body = JSON.stringify(event);
      const signing = {
        webhookId: 'wh_listen',
        eventId: eventId(event) ?? cursor,
        secrets: [secret],
        now: clock.now(),
      };
      try {
        const { status } = await egress.post(url, {
          headers: signedHeaders(signing, body),
          body,
          timeoutMs: ANSWER_WITHIN_MS,
          signal: terminal.signal,
        });
        terminal.note(`  → ${status}`);
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        terminal.note(`  → not delivered: ${error.message}`);
      }
    },
    close: () => egress.close(),
  };
}

/** A message's own id, as in the header of a webhook. */
function eventId(event: ParleyEvent): string | undefined {
  return event.kind === 'message' ? event.message_id : undefined;
}
