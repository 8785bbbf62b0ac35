import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { extname } from 'node:path';
import { SEND_KINDS } from '@parley/contract';
import { createParley, type SendBody } from 'parley-sdk';
import { moveTime, sharedDemo } from './demo.ts';
import { blocksOf, read } from './markdown.ts';

const PAGE = 'docs/messages.md';
const FILES_IN_DOCS = 'https://files.example.com';
const MESSAGE_IN_DOCS = '3EB0C767D71C5A4F1D2B';
const GROUP_IN_DOCS = '120363041234567890@g.us';
const SESSION_IN_DOCS = '15550001001:1@s.whatsapp.net';
/** Longer than the pace of a number requires between two messages. */
const PAUSE_SECONDS = 5;

const FILES: Readonly<Record<string, Buffer>> = {
  '.png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  '.jpg': Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/2Q==', 'base64'),
  '.pdf': Buffer.from('%PDF-1.4 one book'),
  '.ogg': Buffer.from('OggS and a greeting'),
  '.webp': Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64'),
};

/** Sends every example of the guide through the network, with its addresses replaced by existing ones. */
export async function sendsCase(): Promise<string> {
  const bodies = blocksOf(read(PAGE)).filter(({ words }) => words.includes('send'));
  const demo = await sharedDemo();
  const files = await serveFiles();
  try {
    const parley = createParley({ url: demo.url, apiKey: demo.apiKey });
    const { message_id } = await parley.messages.send({
      session_id: demo.sessionId,
      to: '15550002001',
      text: 'First',
    });
    await parley.messages.waitForStatus(message_id);
    const { jid } = await parley.groups.create(demo.sessionId, {
      name: 'Launch',
      participants: ['15550002002@s.whatsapp.net'],
    });
    const kinds = new Set<string>();
    for (const { code, line } of bodies) {
      await moveTime(demo, PAUSE_SECONDS);
      const body: SendBody = JSON.parse(
        code
          .replaceAll(FILES_IN_DOCS, files.url)
          .replaceAll(MESSAGE_IN_DOCS, message_id)
          .replaceAll(GROUP_IN_DOCS, jid)
          .replaceAll(SESSION_IN_DOCS, demo.sessionId),
      );
      const answer = await parley.messages.send(body, { idempotencyKey: `${PAGE}:${line}` });
      if (answer.message_id !== undefined)
        await parley.messages.waitForStatus(answer.message_id, { status: 'sent' });
      kinds.add(
        'status_type' in body ? `${body.status_type === 'text' ? 'text' : 'media'}_status` : kindOf(body),
      );
    }
    assert.deepEqual([...kinds].sort(), Object.keys(SEND_KINDS).sort(), 'every kind is shown');
    return `${bodies.length} sends`;
  } finally {
    files.server.close();
  }
}

function kindOf(body: SendBody): string {
  if ('type' in body) return body.type;
  return 'media_type' in body ? 'media' : 'text';
}

/** A foreign web server; the content depends on the extension only. */
async function serveFiles(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const file = FILES[extname(request.url ?? '')];
    if (file) response.end(file);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The files are not served.');
  return { url: `http://127.0.0.1:${address.port}`, server };
}
