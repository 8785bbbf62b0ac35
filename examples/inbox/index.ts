import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { createParley, ParleyError } from 'parley-sdk';

/**
 * A web inbox for the number: its chats, their messages with pictures, answers, and new messages live. The key stays on this
 * server; the page in the browser (`page.html`) sends its requests to this server only. It has no sign-in: put one in front of
 * it, or run it on your own machine only.
 */
const PORT = Number(process.env.PORT ?? 3000);
const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const [session] = (await parley.sessions.list()).sessions;
if (!session) throw new Error('Link a number first.');
const { session_id } = session;
await parley.sessions.setHistory(session_id, { enabled: true, days: 30 });

const page = readFileSync(new URL('page.html', import.meta.url));
const listeners = new Set<ServerResponse>();

type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
) => Promise<unknown>;
const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /': async (_request, response) => void response.setHeader('content-type', 'text/html').end(page),
  'GET /chats': async () => parley.chats.list(session_id),
  'GET /messages': async (_request, _response, query) =>
    parley.chats.messages(session_id, query.get('jid') ?? ''),
  async 'GET /file'(_request, response, query) {
    const file = await parley.media.download(query.get('id') ?? '');
    for (const name of [
      'content-type',
      'content-length',
      'content-security-policy',
      'x-content-type-options',
    ])
      response.setHeader(name, file.headers.get(name) ?? '');
    if (file.body) Readable.fromWeb(file.body).pipe(response);
  },
  async 'POST /replies'(request) {
    const { jid, text } = (await json(request)) as { jid: string; text: string };
    return parley.conversation({ session_id, chat_jid: jid }).send(text);
  },
  async 'GET /news'(_request, response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('\n');
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  },
};

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://inbox');
  const handle = ROUTES[`${request.method} ${pathname}`];
  // A foreign page cannot send JSON without a CORS preflight, which gets no answer.
  if (!handle || (request.method === 'POST' && request.headers['content-type'] !== 'application/json'))
    return response.writeHead(404).end();
  try {
    const answer = await handle(request, response, searchParams);
    if (answer !== undefined)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  } catch (error) {
    const { status, message } =
      error instanceof ParleyError ? error : { status: 500, message: 'something went wrong' };
    response
      .writeHead(status || 502, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: message }));
  }
}).listen(PORT, '127.0.0.1', () => console.log(`The inbox is at http://127.0.0.1:${PORT}`));

for await (const { event } of parley.events.stream({ kind: 'message' }))
  for (const listener of listeners) listener.write(`data: ${JSON.stringify(event.chat_jid)}\n\n`);
