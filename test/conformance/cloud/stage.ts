import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, vi } from 'vitest';
import type { Gateway } from '../gateway.ts';
import { type LinkedNumber, linkedNumber, type Someone, someone, WATCHING } from '../numbers.ts';

/** Set-up of a client of the Cloud API, and the phone of its contact. */
export interface Stage {
  readonly gateway: Gateway;
  readonly me: LinkedNumber;
  readonly ada: Someone;
  /** Replaces graph.facebook.com. */
  readonly baseUrl: string;
  readonly token: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
  /** The newest message of that type on Ada's phone. */
  seen(type: string, fits?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Ada writes. */
  says(message: object): Promise<string>;
  /** A request without a client library. */
  ask<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }>;
}

export const VERSION = 'v23.0';

export async function takeStage(gateway: Gateway): Promise<Stage> {
  const [me, ada] = await Promise.all([linkedNumber(gateway), someone(gateway, { name: 'Ada' })]);
  const baseUrl = `${gateway.url}/cloud`;
  const headers = { Authorization: `Bearer ${me.apiKey}` };
  const ask = async <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${baseUrl}/${VERSION}${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  };
  const token = await ask<{ data: { granular_scopes: { target_ids: string[] }[] } }>(
    'GET',
    `/debug_token?input_token=${me.apiKey}`,
  );
  return {
    gateway,
    me,
    ada,
    baseUrl,
    token: me.apiKey,
    phoneNumberId: me.phone,
    wabaId: token.body.data.granular_scopes[0]?.target_ids[0] ?? '',
    ask,
    seen: (type, fits = {}) =>
      vi.waitFor(async () => {
        const { messages } = await gateway.sandbox<{ messages: Record<string, unknown>[] }>(
          'GET',
          `/phones/${ada.phone}/messages`,
        );
        const last = messages.filter((each) => each.type === type && each.from_me === false).at(-1);
        expect(last).toMatchObject(fits);
        if (!last)
          throw new Error(`nothing of type ${type} among ${messages.map((each) => each.type).join(', ')}`);
        return last;
      }, WATCHING),
    async says(message) {
      const body = { to: me.phone, ...message };
      const sent = await gateway.sandbox<{ message_id: string }>(
        'POST',
        `/phones/${ada.phone}/messages`,
        body,
      );
      return sent.message_id;
    },
  };
}

/** One webhook request of this surface. */
interface CloudDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly value: CloudValue;
}

interface CloudValue {
  readonly messages?: readonly [Record<string, unknown> & { readonly id: string; readonly type: string }];
  readonly statuses?: readonly [Record<string, unknown> & { readonly id: string; readonly status: string }];
}

export interface CloudReceiver {
  readonly url: string;
  readonly verifyToken: string;
  /** Whether it answers the verification request. */
  willing: boolean;
  next(fits: (value: CloudValue) => boolean): Promise<CloudDelivery>;
  message(type: string): Promise<CloudDelivery>;
  status(id: string, status: string): Promise<CloudDelivery>;
  close(): void;
}

/** The server of a client, which answers the verification request. */
export async function startCloudReceiver(): Promise<CloudReceiver> {
  const deliveries: CloudDelivery[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://receiver');
    if (request.method === 'GET') {
      const known = url.searchParams.get('hub.verify_token') === receiver.verifyToken && receiver.willing;
      response.writeHead(known ? 200 : 403).end(known ? url.searchParams.get('hub.challenge') : '');
      return;
    }
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    deliveries.push({ headers: request.headers, body, value: JSON.parse(body).entry[0].changes[0].value });
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const next: CloudReceiver['next'] = (fits) =>
    vi.waitFor(() => {
      const found = deliveries.find(({ value }) => fits(value));
      if (!found) throw new Error(`not among ${deliveries.map(({ body }) => body).join('\n')}`);
      return found;
    }, WATCHING);
  const receiver: CloudReceiver = {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/webhooks/whatsapp`,
    verifyToken: 'known to both',
    willing: true,
    next,
    message: (type) => next(({ messages }) => messages?.[0].type === type),
    status: (id, status) => next(({ statuses }) => statuses?.[0].id === id && statuses[0].status === status),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
