import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '@parley/gateway/kernel';

/** A receiver that fails a third of the time, in every possible way, and records all its requests. */
export interface FlakyReceiver {
  readonly url: string;
  /** Once set, requests without its signature are counted as forged. */
  secret: string;
  readonly forged: number;
  readonly requests: number;
  /** Counts for an event: how often it came, how often it was accepted, and in how many versions. */
  historyOf(messageId: string): History;
  close(): void;
}

interface History {
  readonly came: number;
  readonly accepted: number;
  readonly versions: number;
}

const FAILURES = ['refuse', 'redirect', 'hang up', 'hang up after accepting'] as const;

export async function startFlakyReceiver(chance: Random): Promise<FlakyReceiver> {
  const events = new Map<string, { came: number; accepted: number; versions: Set<string> }>();
  let forged = 0;
  let requests = 0;

  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    requests++;
    const id = String(request.headers['x-message-id']);
    if (!isSigned(String(request.headers['x-webhook-signature']), body)) forged++;
    const event = events.get(id) ?? { came: 0, accepted: 0, versions: new Set() };
    events.set(id, event);
    event.came++;
    event.versions.add(`${id} ${body}`);
    const mood = chance.below(3) === 0 ? FAILURES[chance.below(FAILURES.length)] : undefined;
    if (mood === undefined || mood === 'hang up after accepting') event.accepted++;
    switch (mood) {
      case undefined:
        response.writeHead(204).end();
        break;
      case 'refuse':
        response.writeHead(503).end();
        break;
      case 'redirect':
        response.writeHead(307, { location: '/' }).end();
        break;
      default:
        request.socket.destroy();
    }
  });

  function isSigned(header: string, body: string): boolean {
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
    return v1 === createHmac('sha256', receiver.secret).update(`${t}.${body}`).digest('hex');
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const receiver: FlakyReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    secret: '',
    get forged() {
      return forged;
    },
    get requests() {
      return requests;
    },
    historyOf(messageId) {
      const { came = 0, accepted = 0, versions } = events.get(messageId) ?? {};
      return { came, accepted, versions: versions?.size ?? 0 };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
