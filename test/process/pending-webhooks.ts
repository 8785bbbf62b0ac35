import { strict as assert } from 'node:assert';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { linkNumber, newPhone, until } from '../chaos/linked-number.ts';
import { ask } from '../conformance/ask.ts';
import { type OwnGateway, startGateway } from '../conformance/gateway.ts';
import type { Cases } from './run-cases.ts';

const CHATS = 5;
const MESSAGES_PER_CHAT = 10;
const PENDING = CHATS * MESSAGES_PER_CHAT;
/** Longer than any pause between two attempts, or between two probes of a paused receiver. */
const JUMP_SECONDS = 2_000;

export const pendingWebhookCases: Cases = {
  async 'kill -9 with 50 pending webhooks of the Evolution interface: 50 of 50 arrive'() {
    const receiver = await startReceiver();
    const gateway = await startGateway({ PARLEY_COMPAT: 'evolution' });
    try {
      const number = await linkNumber(gateway);
      const webhook = { url: receiver.url, events: ['MESSAGES_UPSERT'], headers: { 'x-own': 'mine' } };
      const made = await ask(gateway.url, {
        method: 'POST',
        path: '/evolution/instance/create',
        headers: { apikey: number.apiKey },
        body: { instanceName: 'shop', webhook },
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));

      const sent = await writeAll(gateway, number.phone);
      // An event and its delivery are committed together.
      const publishedEvents = async () =>
        (await number.call<{ events: unknown[] }>('GET', '/events?kind=message&limit=100')).body.events;
      await until('every event', publishedEvents, (events) => events.length === PENDING);
      assert.equal(receiver.accepted.length, 0);
      const refusedBefore = receiver.refused.length;
      await gateway.crash();
      receiver.accepts = true;

      const isThere = (): boolean => receiver.accepted.length >= PENDING;
      await until(
        'every webhook',
        () => gateway.sandbox('POST', '/clock', { advance_seconds: JUMP_SECONDS }),
        isThere,
      );
      for (const { headers, body } of receiver.accepted) {
        assert.deepEqual(Object.keys(body), ENVELOPE);
        assert.deepEqual([body.event, body.instance, headers['x-own']], ['messages.upsert', 'shop', 'mine']);
      }
      const arrived = new Map(receiver.accepted.map(({ body: { data } }) => [data.key.id, data]));
      assert.deepEqual([receiver.accepted.length, arrived.size], [PENDING, PENDING]);
      for (const [id, text] of sent)
        assert.equal(arrived.get(id)?.message.conversation, text, `${id} is not there as it was sent`);
      for (const { body } of receiver.refused)
        assert.deepEqual(
          arrived.get(body.data.key.id),
          body.data,
          'differs from the delivery before the kill',
        );
      return `${refusedBefore} were refused before the kill`;
    } finally {
      await gateway.stop();
      receiver.close();
    }
  },
};

const ENVELOPE = ['event', 'instance', 'data', 'destination', 'date_time', 'sender', 'server_url', 'apikey'];

/** The text of every message, by id. */
async function writeAll(gateway: OwnGateway, to: string): Promise<Map<string, string>> {
  const sent = new Map<string, string>();
  const write = async (writer: string): Promise<void> => {
    for (let count = 1; count <= MESSAGES_PER_CHAT; count++) {
      const text = `message ${count} of ${writer}`;
      const path = `/phones/${writer}/messages`;
      const taken = await gateway.sandbox<{ message_id: string }>('POST', path, { to, text });
      sent.set(taken.message_id, text);
    }
  };
  const writers = await Promise.all(Array.from({ length: CHATS }, () => newPhone(gateway)));
  await Promise.all(writers.map(write));
  return sent;
}

interface ReceivedRequest {
  readonly headers: Record<string, unknown>;
  readonly body: {
    readonly event: string;
    readonly instance: string;
    readonly data: { readonly key: { readonly id: string }; readonly message: { conversation?: string } };
  };
}

/** A receiver that refuses every request until it is switched. */
async function startReceiver() {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const received = { headers: request.headers, body: JSON.parse(text) };
    (receiver.accepts ? receiver.accepted : receiver.refused).push(received);
    response.writeHead(receiver.accepts ? 200 : 503).end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    accepts: false,
    accepted: [] as ReceivedRequest[],
    refused: [] as ReceivedRequest[],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
