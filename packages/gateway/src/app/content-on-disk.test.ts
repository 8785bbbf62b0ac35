import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock } from '#kernel';
import { OPERATOR_TOKEN, startGateway } from '../testing/index.ts';
import { firstRun } from './first-run.ts';

const ADA = '15550002001';
const ME = '15550001001';
const WAIT = { timeout: 30_000, interval: 50 };

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Part of every text that people write or choose here. */
const MARK = 'Zwiebelkuchen';
const said = (what: string): string => `${MARK}-${what}`;

/** The hash of an option reveals a vote to anyone who knows the options of the poll. */
const hashOf = (option: string): string => createHash('sha256').update(option).digest('hex');

test.each([
  ['', false],
  [', nor does what the number keeps of it', true],
])('nothing that people write, choose or are called stands in clear in the database%s', async (_, keeps) => {
  const gateway = await startGateway({ database: 'SQLite', clock: createSystemClock() });
  undo.push(() => gateway.close());
  const demo = await firstRun(gateway.app, loadConfig({}));
  if (!demo) throw new Error('a new gateway makes its demo');
  const { sessionId: session_id } = demo;
  let calls = 0;
  const call = async (method: 'GET' | 'POST' | 'PUT', url: string, key: string, body?: object) => {
    const headers = { 'idempotency-key': `call-${++calls}` };
    const answer = await gateway.request({ method, url, key, headers, ...(body && { body }) });
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300);
    return JSON.parse(answer.body || '{}');
  };
  const send = async (body: object): Promise<string> =>
    (await call('POST', '/v1/messages', demo.apiKey, { session_id, to: ADA, ...body })).message_id;
  const virtual = (path: string, body: object) =>
    call('POST', `/sandbox/v1/phones${path}`, OPERATOR_TOKEN, body);
  const kinds = async (): Promise<string[]> => {
    const { events } = await call('GET', '/v1/events?limit=100', demo.apiKey);
    return events.map(({ event }: { event: { kind: string; type?: string } }) => event.type ?? event.kind);
  };
  const receiver = await startReceiver();
  const hook = `${receiver}/hook`;
  const urls = { messages_url: hook, status_url: hook, connection_url: hook, events_url: hook };
  await call('POST', '/v1/webhooks', demo.apiKey, { session_id, ...urls });

  const history = `/v1/sessions/${encodeURIComponent(session_id)}/history`;
  if (keeps) await call('PUT', history, demo.apiKey, { enabled: true });
  const STRANGER = '15550009001';
  await virtual('', { phone: STRANGER, name: said('name') });
  const file = { media_base64: Buffer.from(said('file')).toString('base64'), mimetype: 'text/plain' };
  await virtual(`/${STRANGER}/messages`, { to: ME, text: said('text') });
  await virtual(`/${STRANGER}/messages`, {
    to: ME,
    media_type: 'document',
    file_name: said('file-name.txt'),
    ...file,
  });
  await virtual(`/${STRANGER}/messages`, {
    to: ME,
    type: 'location',
    latitude: 1,
    longitude: 2,
    loc_name: said('place'),
  });
  await virtual(`/${ME}/contacts`, { phone: STRANGER, first_name: said('first'), full_name: said('full') });
  await send({ text: said('sent') });
  const pollId = await send({
    type: 'poll',
    poll_name: said('question'),
    poll_options: [said('yes'), said('no')],
  });
  const buttonsId = await send({
    type: 'interactive',
    interactive_body: said('body'),
    interactive_buttons: [{ type: 'quick_reply', display_text: said('press'), id: said('id') }],
  });
  await vi.waitFor(async () => {
    await virtual(`/${ADA}/votes`, { poll_message_id: pollId, options: [said('yes')] });
    await virtual(`/${ADA}/button-presses`, { message_id: buttonsId, id: said('id') });
  }, WAIT);

  const expected = ['text', 'document', 'location', 'poll_vote', 'button_response', 'status', 'receipt'];
  await vi.waitFor(async () => expect(await kinds()).toEqual(expect.arrayContaining(expected)), WAIT);
  const words = [MARK, hashOf(said('yes'))];
  const path = gateway.databaseUrl.slice('sqlite:'.length);
  expect(columnsWith(words, path)).toEqual([]);
  const boxes = contentOf(path);
  expect(boxes.length > 0).toBe(keeps);
  if (keeps) {
    const stored = [path, `${path}-wal`].map((each) => readFileSync(each));
    expect(boxes.some((box) => stored.some((bytes) => bytes.includes(box)))).toBe(true);
    await call('PUT', history, demo.apiKey, { enabled: false });
    expect(contentOf(path)).toEqual([]);
    const left = [path, `${path}-wal`].map((each) => readFileSync(each));
    for (const box of boxes) expect(left.some((bytes) => bytes.includes(box))).toBe(false);
  }
  // Deleted data may still be in a file.
  for (const file of [path, `${path}-wal`])
    for (const word of words) expect(readFileSync(file).includes(word), `${word} in ${file}`).toBe(false);
});

/** The sealed content of each stored message, without the header that all boxes share. */
function contentOf(path: string): Buffer[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const sealed =
    "SELECT sealed FROM history_messages UNION ALL SELECT sealed FROM history_marks WHERE kind IN ('reaction', 'edit')";
  const rows = db.prepare(sealed).all();
  db.close();
  return rows.flatMap((row) =>
    row.sealed instanceof Uint8Array ? [Buffer.from(row.sealed).subarray(-48)] : [],
  );
}

async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => void request.resume().on('end', () => response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function columnsWith(words: readonly string[], path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string;
  }[];
  const found = tables.flatMap(({ name }) =>
    db
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) => {
          const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
          return words.some((word) => text.includes(word)) ? [`${name}.${column}: ${text}`] : [];
        }),
      ),
  );
  db.close();
  return found;
}
