import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import type { AnyMessageContent } from 'baileys';
import { request } from 'undici';
import { createSystemClock } from '../../packages/gateway/src/kernel/index.ts';
import { createEgress } from '../../packages/gateway/src/platform/egress/index.ts';
import { signedHeaders } from '../../packages/gateway/src/webhooks/endpoints/signing.ts';
import { type Bare, createBare } from '../lib/network/bare.ts';
import type { ContenderOptions } from '../lib/network/contender.ts';
import { offer } from '../lib/remote.ts';
import type { EventFields, SendBody } from './endpoint.ts';

/** The floor: the bare library behind a plain `node:http` server, with a plain signed POST for its events, without storage. */
const clock = createSystemClock();
const egress = createEgress({ clock, publicOnly: false });
let bare: Bare | undefined;
let hookUrl = '';
let eventCount = 0;

function running(): Bare {
  if (!bare) throw new Error('not started');
  return bare;
}

async function postEvent(event: EventFields): Promise<void> {
  const body = JSON.stringify(event);
  const signing = {
    webhookId: 'wh_bench',
    eventId: `e${++eventCount}`,
    secrets: ['whsec_bench'],
    now: clock.now(),
  };
  await egress.post(hookUrl, { headers: signedHeaders(signing, body), body, timeoutMs: 10_000 });
}

async function contentOf({ text = '', media_url }: SendBody): Promise<AnyMessageContent> {
  if (media_url === undefined) return { text };
  const document = await buffer((await request(media_url)).body);
  return { document, mimetype: 'application/octet-stream', fileName: 'file.bin' };
}

const server = createServer(async (asked, answer) => {
  // Sent by our own client.
  const body = (await json(asked)) as SendBody;
  const requestId = String(asked.headers['idempotency-key']);
  answer.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'accepted' }));
  const [from = ''] = body.session_id.split(':');
  await running().sendContent(from, body.to, await contentOf(body));
  await postEvent({ kind: 'status', request_id: requestId });
});

const calls = {
  async start(options: ContenderOptions, hook: string): Promise<string> {
    hookUrl = hook;
    bare = createBare(options);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  pid: (): number => process.pid,
  showQr: (phone: string): Promise<string> => running().showQr(phone),
  async logIn(phone: string): Promise<void> {
    await running().linked(phone);
    await running().logIn(phone);
    running()
      .socketOf(phone)
      .ev.on('messages.upsert', async ({ messages }) => {
        for (const { message } of messages) {
          const text = message?.extendedTextMessage?.text ?? message?.conversation;
          if (text) await postEvent({ kind: 'message', text });
        }
      });
  },
};

export type BareCalls = typeof calls;

offer(calls);
