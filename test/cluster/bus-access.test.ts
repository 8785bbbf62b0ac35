import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { createSystemClock, systemRandom } from '@parley/gateway/kernel';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { connectNatsBus, type NatsSettings } from '../../packages/gateway/src/platform/bus/nats/index.ts';
import { startOwnNats } from '../services/nats.ts';
import type { Service } from '../services/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-bus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let server: Service | undefined;
afterEach(() => server?.stop());

const NOTHING = { credentialsFile: undefined, caFile: undefined, certFile: undefined, keyFile: undefined };

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Whether the bus accepts the connection and carries messages. */
async function letsIn(url: string, settings: Partial<NatsSettings> = {}): Promise<boolean> {
  const clock = createSystemClock();
  const log = { info() {}, warn() {} };
  const parts = { clock, random: systemRandom, log, subject: 'parley' };
  const connected = connectNatsBus({ ...parts, settings: { ...NOTHING, servers: [url], ...settings } });
  const bus = await connected.catch(() => undefined);
  await bus?.check();
  await bus?.close();
  return bus !== undefined;
}

function withLogin(url: string, login: string): string {
  return url.replace('nats://', `nats://${login}@`);
}

describe('a bus with authentication', () => {
  test('accepts a user with a password', async () => {
    server = await startOwnNats('--user', 'parley', '--pass', 'p@ss/word');
    expect(await letsIn(withLogin(server.url, `parley:${encodeURIComponent('p@ss/word')}`))).toBe(true);
    expect(await letsIn(withLogin(server.url, 'parley:wrong'))).toBe(false);
    expect(await letsIn(server.url)).toBe(false);
  });

  test('accepts a token', async () => {
    server = await startOwnNats('--auth', 's3cret');
    expect(await letsIn(withLogin(server.url, 's3cret'))).toBe(true);
    expect(await letsIn(withLogin(server.url, 'wrong'))).toBe(false);
  });

  test('accepts an nkey', async () => {
    const [known, stranger] = [nkeys.createUser(), nkeys.createUser()];
    const rule = `authorization { users: [ { nkey: ${known.getPublicKey()} } ] }`;
    server = await startOwnNats('--config', file('nkey.conf', rule));
    expect(await letsIn(server.url, { credentialsFile: file('known', known.getSeed()) })).toBe(true);
    expect(await letsIn(server.url, { credentialsFile: file('stranger', stranger.getSeed()) })).toBe(false);
  });

  test('needs permissions for Parley’s own subjects only', async () => {
    const permissions = 'permissions: { publish: "parley.>", subscribe: "parley.>" }';
    const rule = `authorization { users: [ { user: parley, password: parley, ${permissions} } ] }`;
    server = await startOwnNats('--config', file('permissions.conf', rule));
    const clock = createSystemClock();
    const warnings: string[] = [];
    const log = { info() {}, warn: (_: object, text: string) => void warnings.push(text) };
    const settings = { ...NOTHING, servers: [withLogin(server.url, 'parley:parley')] };
    const open = () => connectNatsBus({ clock, random: systemRandom, log, subject: 'parley', settings });
    const [here, there] = await Promise.all([open(), open()]);
    there.serve('session.1', async (request) => request);
    await there.check();
    expect(await here.call('session.1', 'hello', { timeoutMs: 5_000 })).toBe('hello');
    await Promise.all([here.close(), there.close()]);
    expect(warnings).toEqual([]);
  });
});

describe('a bus behind TLS', () => {
  test('is trusted by its authority, and trusts our certificate', async () => {
    const authority = certificate('authority', { name: 'Authority of the tests' });
    const ours = certificate('ours', { name: 'parley', signedBy: authority });
    const theirs = certificate('theirs', { name: 'localhost', signedBy: authority });
    const tls = ['--tlscert', theirs.cert, '--tlskey', theirs.key, '--tlscacert', authority.cert];
    server = await startOwnNats('--tls', '--tlsverify', ...tls);
    const url = server.url.replace('nats://127.0.0.1', 'tls://localhost');
    const proof = { certFile: ours.cert, keyFile: ours.key };
    expect(await letsIn(url, { caFile: authority.cert, ...proof })).toBe(true);
    expect(await letsIn(url, { caFile: authority.cert })).toBe(false);
    expect(await letsIn(url, proof)).toBe(false);
  });
});

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

function certificate(
  file: string,
  { name, signedBy }: { name: string; signedBy?: Certificate },
): Certificate {
  const [cert, key] = [join(folder, `${file}.pem`), join(folder, `${file}.key`)];
  const issuer = signedBy ? ['-CA', signedBy.cert, '-CAkey', signedBy.key] : [];
  const use = signedBy
    ? ['-addext', 'basicConstraints=CA:FALSE', '-addext', 'subjectAltName=DNS:localhost']
    : [];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = ['-subj', `/CN=${name}`, '-keyout', key, '-out', cert, '-days', '2'];
  execFileSync('openssl', [...request, ...names, ...issuer, ...use], { stdio: 'pipe' });
  return { cert, key };
}

test('a bus with a small message limit carries large messages in parts', async () => {
  server = await startOwnNats('--config', file('small.conf', 'max_payload: 2048'));
  const clock = createSystemClock();
  const log = { info() {}, warn() {} };
  const settings = { ...NOTHING, servers: [server.url] };
  const parts = { clock, random: systemRandom, log, subject: 'parley', settings };
  const [here, there] = await Promise.all([connectNatsBus(parts), connectNatsBus(parts)]);
  const large = { text: 'many contacts '.repeat(5_000) };
  there.serve('number', async (request) => request);
  const received = new Promise((resolve) => there.subscribe('wake', resolve));
  await there.check();
  expect(await here.call('number', large, { timeoutMs: 10_000 })).toEqual(large);
  here.publish('wake', large);
  expect(await received).toEqual(large);
  await Promise.all([here.close(), there.close()]);
});
