import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicEvent } from '@parley/contract';

/** Receives the webhooks of all numbers and records the events of each message. */
export interface EventRecorder {
  readonly url: string;
  /** Ids of the events about a message. Several ids mean events with different contents. */
  eventsAbout(messageId: string): ReadonlySet<string>;
  /** Whether there is an event that this message came in, or that the number wrote it. */
  hasEventFor(messageId: string): boolean;
  /** The reason for which a message failed for good. */
  failureOf(messageId: string): string | undefined;
  /** Ids of the events about this name of the group. */
  renameEvents(group: string, name: string): ReadonlySet<string>;
  /** Ids of the events about a mute of a chat until then, by the owner of a session. */
  muteEvents(sessionId: string, until: number): ReadonlySet<string>;
  close(): void;
}

export async function startEventRecorder(): Promise<EventRecorder> {
  const tellings = new Map<string, Set<string>>();
  const failures = new Map<string, string | undefined>();
  const incoming = new Set<string>();
  const renamings = new Map<string, Set<string>>();
  const mutings = new Map<string, Set<string>>();
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const event: PublicEvent = JSON.parse(Buffer.concat(chunks).toString());
    const eventId = String(request.headers['x-message-id']);
    if (event.kind === 'status') note(tellings, event.message_id, eventId);
    if (event.kind === 'status' && event.status === 'failed') failures.set(event.message_id, event.reason);
    if (event.kind === 'message') incoming.add(event.message_id);
    if (event.kind === 'group' && event.event === 'subject')
      note(renamings, `${event.chat_jid} ${event.subject}`, eventId);
    if (event.kind === 'chat' && event.event === 'muted')
      note(mutings, `${event.session_id} ${event.muted_until_unix}`, eventId);
    response.writeHead(204).end();
  });

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    hasEventFor: (messageId) => incoming.has(messageId),
    eventsAbout: (messageId) => tellings.get(messageId) ?? new Set(),
    failureOf: (messageId) => failures.get(messageId),
    renameEvents: (group, name) => renamings.get(`${group} ${name}`) ?? new Set(),
    muteEvents: (sessionId, until) => mutings.get(`${sessionId} ${until}`) ?? new Set(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function note(events: Map<string, Set<string>>, about: string, eventId: string): void {
  events.set(about, (events.get(about) ?? new Set()).add(eventId));
}
