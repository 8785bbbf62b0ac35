import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { EVENT_SCHEMAS, type EventKind, type PublicEvent } from '@parley/contract';
import { verifyWebhook } from 'parley-sdk';
import Schema from 'typebox/schema';
import { expect, vi } from 'vitest';
import { WATCHING } from './numbers.ts';

/** One webhook request, as it arrived. */
export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: PublicEvent;
}

/** An integrator's server: records its requests and answers as configured. */
export interface Receiver {
  readonly url: string;
  readonly deliveries: Delivery[];
  /** Files that it serves, by path. */
  readonly files: Map<string, Buffer>;
  /** The status to answer; 200 by default. */
  answer: (delivery: Delivery) => number;
  /** Waits for the first matching event, checks it against its schema, and returns the delivery. */
  next<K extends EventKind>(
    kind: K,
    fits?: (event: Extract<PublicEvent, { kind: K }>) => boolean,
  ): Promise<Delivery & { readonly event: Extract<PublicEvent, { kind: K }> }>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const files = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end(files.get(request.url ?? ''));
      return;
    }
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const delivery = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) };
    deliveries.push(delivery);
    response.writeHead(receiver.answer(delivery), { location: '/elsewhere' }).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    files,
    answer: () => 200,
    async next(kind, fits = () => true) {
      const found = await vi.waitFor(() => {
        const first = deliveries.find(
          ({ event }) => event.kind === kind && fits(event as Parameters<typeof fits>[0]),
        );
        if (!first)
          throw new Error(`no ${kind} among ${deliveries.map(({ event }) => event.kind).join(', ')}`);
        return first;
      }, WATCHING);
      expect(Schema.Compile(EVENT_SCHEMAS[kind]).Errors(found.event)[1] ?? []).toEqual([]);
      return found as Awaited<ReturnType<typeof receiver.next<typeof kind>>>;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** Verifies a delivery twice, by the specification and by the SDK, which must agree. */
export async function verifies(delivery: Delivery, secret: string, nowUnix: number): Promise<boolean> {
  const { body, headers } = delivery;
  const bySdk = await verifyWebhook(body, headers, secret, { nowUnix }).then(
    (event) => JSON.stringify(event) === JSON.stringify(delivery.event),
    () => false,
  );
  const bySpecification = verifiesByTheBook(delivery, secret, nowUnix);
  expect(bySdk).toBe(bySpecification);
  return bySpecification;
}

/**
 * By the specification's text only: read `t` and `v1`; build `<t>.<raw_body>`; HMAC-SHA256 with the secret, hex; compare in
 * constant time; refuse when `t` is more than five minutes away from the current time.
 */
function verifiesByTheBook({ headers, body }: Delivery, secret: string, nowUnix: number): boolean {
  const header = String(headers['x-webhook-signature']);
  const t = /(?:^|,)t=(\d+)/.exec(header)?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest();
  const matches = [...header.matchAll(/v1=([0-9a-f]{64})/g)].some(([, hex]) =>
    timingSafeEqual(Buffer.from(hex ?? '', 'hex'), expected),
  );
  return matches && Math.abs(nowUnix - Number(t)) <= 300;
}
