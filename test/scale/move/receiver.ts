import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Records webhooks. */
export async function startReceiver() {
  const requestIds = new Set<string>();
  const texts = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const event: { kind?: string; request_id?: string; text?: string } = JSON.parse(body);
    if (event.kind === 'status' && event.request_id) requestIds.add(event.request_id);
    if (event.kind === 'message' && event.text) texts.add(event.text);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Idempotency keys of the sends with a `status` event. */
    requestIds,
    texts,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
