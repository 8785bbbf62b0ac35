import { strict as assert } from 'node:assert';
import { type Parley, WITHOUT_DEMO } from './parley.ts';

const TOKEN = 'token-of-the-operator';
const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery staple';
export const ADA = { name: 'Ada', email: EMAIL, password: PASSWORD };
export const OPERATED = { ...WITHOUT_DEMO, PARLEY_OPERATOR_TOKEN: TOKEN };

/** Inserts requests of an account, with the account and their number as parameters; one statement per database. */
export const FILL = {
  sqlite: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
     INSERT INTO api_requests (account_id, key_id, at, method, path, status, duration_ms, request_id)
     SELECT ?1, 'key_1', 1, 'GET', '/v1/sessions', 200, 1, 'req_' || i FROM n`,
  postgres: `INSERT INTO api_requests (account_id, key_id, at, method, path, status, duration_ms, request_id)
     SELECT $1, 'key_1', 1, 'GET', '/v1/sessions', 200, 1, 'req_' || i FROM generate_series(1, $2::int) AS i`,
} as const;

export async function kill(parley: Parley): Promise<void> {
  parley.kill('SIGKILL');
  await assert.rejects(parley.ended());
}

export async function operate<T>(parley: Parley, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return jsonOf(await ask(`${parley.url}/operator/v1${path}`, method, headers, body));
}

/** The portal, as the owner of the account uses it. */
export async function signIn(parley: Parley) {
  const headers = { 'x-parley-portal': '1', 'content-type': 'application/json' };
  const address = `${parley.url}/portal/api`;
  const { cookies } = await ask(`${address}/sign-in`, 'POST', headers, { email: EMAIL, password: PASSWORD });
  const asOwner = (method: string, path: string, body?: object) =>
    ask(address + path, method, { ...headers, cookie: cookies.join('; ') }, body);
  return {
    json: async <T>(method: string, path: string, body?: object): Promise<T> =>
      jsonOf(await asOwner(method, path, body)),
    download: async (path: string): Promise<Buffer> => (await asOwner('GET', path)).bytes,
  };
}

interface Answer {
  readonly bytes: Buffer;
  readonly cookies: readonly string[];
}

async function ask(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.ok(answer.ok, bytes.toString());
  return { bytes, cookies: answer.headers.getSetCookie().map((each) => each.split(';', 1)[0] ?? '') };
}

const jsonOf = ({ bytes }: Answer) => JSON.parse(bytes.toString() || 'null');
