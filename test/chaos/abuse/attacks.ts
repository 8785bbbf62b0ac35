import { connect } from 'node:net';

/** The attacked gateway, with the credentials of an account on it. */
export interface Target {
  readonly url: string;
  readonly operatorToken: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly instance: string;
  /** A message of the instance with a large file, and a contact. */
  readonly mediaMessageId: string;
  readonly friend: string;
}

/** A request that costs the gateway much and the attacker little. */
export interface Attack {
  readonly name: string;
  readonly parallel: number;
  /** Between two attempts of one attacker. */
  readonly pauseMs: number;
  /** Runs one attempt and returns its outcome. */
  attempt(target: Target, stop: AbortSignal): Promise<string>;
}

const MIB = 2 ** 20;
const HALF_BODY = Buffer.alloc(MIB - 1, 'a');
const LARGE_BODY = Buffer.concat([Buffer.from('{"media":"'), Buffer.alloc(31 * MIB, 'A'), Buffer.from('"}')]);
const PIECE = 2 ** 16;
const BACKTRACKING = 32_000;
const MANY_NUMBERS = 60_000;
const FAR_PAGE = 1_000_000_000;
const IMPATIENT_MS = 300;

export const ATTACKS: readonly Attack[] = [
  // A refused connection is retried after a pause: a flood of connections is the proxy's concern.
  { name: 'half-sent bodies', parallel: 950, pauseMs: 10_000, attempt: leaveHalfSent },
  attack('large bodies of strangers', 15, (target, stop) => sendLarge(target, 'unknown', stop)),
  attack('large bodies of an account', 15, (target, stop) => sendLarge(target, target.apiKey, stop)),
  attack('a large file in base64', 16, (target, stop) => {
    const message = { key: { id: target.mediaMessageId } };
    return ask(target, '/chat/getBase64FromMediaMessage', { message }, stop);
  }),
  // The client does not wait for the answer.
  attack('a page far away', 4, (target, stop) =>
    ask(
      target,
      '/chat/findMessages',
      { page: FAR_PAGE },
      AbortSignal.any([stop, AbortSignal.timeout(IMPATIENT_MS)]),
    ),
  ),
  attack('many numbers to check', 2, (target, stop) => {
    const numbers = Array.from({ length: MANY_NUMBERS }, (_, place) => `${15_550_000_000 + place}`);
    return ask(target, '/chat/whatsappNumbers', { numbers }, stop);
  }),
  attack('text that backtracks', 4, (target, stop) => {
    const media = `A${' '.repeat(BACKTRACKING)}!`;
    const message = { number: target.friend, mediatype: 'document', fileName: 'a', media };
    return ask(target, '/message/sendMedia', message, stop);
  }),
  ...['accounts', 'devices', 'invoices', 'sessions', 'audit'].map((list) =>
    attack(`the operator's ${list}`, 2, ({ url, operatorToken }, stop) =>
      answerOf(`${url}/operator/v1/${list}`, {
        headers: { authorization: `Bearer ${operatorToken}` },
        signal: stop,
      }),
    ),
  ),
  attack("an account's keys", 2, ({ url, operatorToken, accountId }, stop) =>
    answerOf(`${url}/operator/v1/accounts/${accountId}/api-keys`, {
      headers: { authorization: `Bearer ${operatorToken}` },
      signal: stop,
    }),
  ),
  attack('lists of an account', 4, ({ url, apiKey }, stop) =>
    answerOf(`${url}/v1/events?limit=100`, { headers: { authorization: `Bearer ${apiKey}` }, signal: stop }),
  ),
  attack('lists of groups', 4, ({ url, apiKey, instance }, stop) =>
    answerOf(`${url}/evolution/group/fetchAllGroups/${instance}?getParticipants=true`, {
      headers: { apikey: apiKey },
      signal: stop,
    }),
  ),
];

function attack(name: string, parallel: number, attempt: Attack['attempt']): Attack {
  return { name, parallel, pauseMs: 100, attempt };
}

/** All of a body but its last byte, which never comes. */
function leaveHalfSent({ url }: Target, stop: AbortSignal): Promise<string> {
  // The portal's header: without it the request would be refused before its body is read.
  return send(`${url}/portal/api/sign-in`, 'x-parley-portal: 1\r\n', HALF_BODY, MIB, stop);
}

function sendLarge({ url, instance }: Target, key: string, stop: AbortSignal): Promise<string> {
  const path = `${url}/evolution/message/sendMedia/${instance}`;
  return send(path, `apikey: ${key}\r\n`, LARGE_BODY, LARGE_BODY.length, stop);
}

/** By a plain socket, in pieces, so that the attacker's own cost stays low. */
function send(url: string, header: string, body: Buffer, length: number, stop: AbortSignal): Promise<string> {
  const { host, port, pathname } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(port), '127.0.0.1');
  const end = (): void => void socket.destroy();
  let answer = '';
  let sent = 0;
  stop.addEventListener('abort', end, { once: true });
  function goOn(): void {
    while (sent < body.length && !socket.destroyed) {
      const piece = body.subarray(sent, sent + PIECE);
      sent += piece.length;
      if (!socket.write(piece)) return;
    }
  }
  socket.on('connect', () => {
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${header}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    goOn();
  });
  socket.on('drain', goOn);
  socket.on('data', (chunk) => {
    answer += chunk;
    // A whole answer; answers are short here.
    if (answer.includes('\r\n\r\n')) end();
  });
  socket.on('end', end);
  // Refused while the body was still being sent.
  socket.on('error', end);
  socket.on('close', () => {
    stop.removeEventListener('abort', end);
    resolve(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 'cut off');
  });
  return promise;
}

function ask(target: Target, path: string, body: object, signal: AbortSignal): Promise<string> {
  return answerOf(`${target.url}/evolution${path}/${target.instance}`, {
    method: 'POST',
    headers: { apikey: target.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
}

/** Reads the whole answer, as a client would. */
async function answerOf(url: string, request: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, request);
    for await (const _ of response.body ?? []);
    return `${response.status}`;
  } catch (error) {
    // The gateway closes the connection of a refused request before its end; an aborted one is closed by the client.
    if (error instanceof TypeError || (error instanceof DOMException && error.name !== 'SyntaxError'))
      return 'cut off';
    throw error;
  }
}
