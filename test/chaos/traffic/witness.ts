import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventOf, PublicEvent } from '@parley/contract';

/** Receives the webhooks of all numbers and remembers what became of each message. */
export interface Witness {
  readonly url: string;
  /** The ids of the events that told of a message. More than one: two different things were said about it. */
  tellingsOf(messageId: string): ReadonlySet<string>;
  /** Whether it was told that this message came in. */
  hasHeardOf(messageId: string): boolean;
  close(): void;
}

export async function startWitness(): Promise<Witness> {
  const tellings = new Map<string, Set<string>>();
  const incoming = new Set<string>();
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const event: PublicEvent = JSON.parse(Buffer.concat(chunks).toString());
    if (event.kind === 'status') note(event, String(request.headers['x-message-id']));
    if (event.kind === 'message') incoming.add(event.message_id);
    response.writeHead(204).end();
  });

  function note({ message_id: messageId }: EventOf<'status'>, eventId: string): void {
    tellings.set(messageId, (tellings.get(messageId) ?? new Set()).add(eventId));
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    hasHeardOf: (messageId) => incoming.has(messageId),
    tellingsOf: (messageId) => tellings.get(messageId) ?? new Set(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
