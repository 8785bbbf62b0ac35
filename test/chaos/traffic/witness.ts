import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicEvent } from '@parley/contract';

/** Receives the webhooks of all numbers and remembers what became of each message. */
export interface Witness {
  readonly url: string;
  /** The ids of the events that told of a message. More than one: two different things were said about it. */
  tellingsOf(messageId: string): ReadonlySet<string>;
  /** Whether it was told that this message came in, or that the number wrote it. */
  hasHeardOf(messageId: string): boolean;
  /** The ids of the events that told that the group is called so. */
  renamingsOf(group: string, name: string): ReadonlySet<string>;
  /** The ids of the events that told that the owner of a session has muted a chat until then. */
  mutingsOf(sessionId: string, until: number): ReadonlySet<string>;
  close(): void;
}

export async function startWitness(): Promise<Witness> {
  const tellings = new Map<string, Set<string>>();
  const incoming = new Set<string>();
  const renamings = new Map<string, Set<string>>();
  const mutings = new Map<string, Set<string>>();
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const event: PublicEvent = JSON.parse(Buffer.concat(chunks).toString());
    const eventId = String(request.headers['x-message-id']);
    if (event.kind === 'status') note(tellings, event.message_id, eventId);
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
    hasHeardOf: (messageId) => incoming.has(messageId),
    tellingsOf: (messageId) => tellings.get(messageId) ?? new Set(),
    renamingsOf: (group, name) => renamings.get(`${group} ${name}`) ?? new Set(),
    mutingsOf: (sessionId, until) => mutings.get(`${sessionId} ${until}`) ?? new Set(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function note(told: Map<string, Set<string>>, about: string, eventId: string): void {
  told.set(about, (told.get(about) ?? new Set()).add(eventId));
}
