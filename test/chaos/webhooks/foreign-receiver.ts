import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '@parley/gateway/kernel';
import type { LinkedNumber } from '../linked-number.ts';

/** A receiver that is told as Evolution API tells, and refuses a third of the time. */
export interface ForeignReceiver {
  /** The ids of messages that it has taken. */
  readonly accepted: ReadonlySet<string>;
  /** Makes an instance of the number, with this for its webhook. */
  register(gatewayUrl: string, number: LinkedNumber): Promise<void>;
  close(): void;
}

export async function startForeignReceiver(chance: Random): Promise<ForeignReceiver> {
  const accepted = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { event, data } = JSON.parse(body) as { event: string; data: { key?: { id: string } } };
    if (chance.below(3) === 0) {
      response.writeHead(503).end();
      return;
    }
    if (event === 'messages.upsert' && data.key) accepted.add(data.key.id);
    response.writeHead(200).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  return {
    accepted,
    async register(gatewayUrl, { token }) {
      const answer = await fetch(`${gatewayUrl}/evolution/instance/create`, {
        method: 'POST',
        headers: { apikey: token, 'content-type': 'application/json' },
        body: JSON.stringify({ instanceName: 'chaos', webhook: { url, events: ['MESSAGES_UPSERT'] } }),
      });
      if (answer.status !== 201) throw new Error(`no instance: ${answer.status} ${await answer.text()}`);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
