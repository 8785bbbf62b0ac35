import { type Clock, within } from '#kernel';
import type { MediaTransport } from '../media/request.ts';

const REAL_ORIGIN = 'https://web.whatsapp.com';
const PATIENCE_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** The least that the network wants to see of a browser before it serves the page. */
const AS_A_BROWSER = {
  'sec-fetch-site': 'none',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
};

/** Fetches the page on which web clients find their current version, on the way that numbers take to the network. */
export async function fetchVersionPage({
  transport,
  clock,
  url,
}: {
  transport: Pick<MediaTransport, 'get'>;
  clock: Clock;
  /** Of the server for clients; absent: the real network. */
  url: string | undefined;
}): Promise<string> {
  const stop = new AbortController();
  try {
    return await within(clock, PATIENCE_MS, read(transport, originOf(url), stop.signal), late);
  } finally {
    stop.abort();
  }
}

const late = (): Error => new Error('the page did not come in time');

async function read(
  transport: Pick<MediaTransport, 'get'>,
  origin: string,
  signal: AbortSignal,
): Promise<string> {
  const { status, body } = await transport.get(new URL('/sw.js', origin), { signal, headers: AS_A_BROWSER });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) throw new Error('the page is too large');
    chunks.push(chunk);
  }
  if (status !== 200) throw new Error(`the page is answered with ${status}`);
  return Buffer.concat(chunks).toString();
}

/** `ws://host:port/ws/chat` → `http://host:port` */
function originOf(url: string | undefined): string {
  if (url === undefined) return REAL_ORIGIN;
  const { protocol, host } = new URL(url);
  return `${protocol === 'wss:' ? 'https' : 'http'}://${host}`;
}
