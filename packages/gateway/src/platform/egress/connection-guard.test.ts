import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import * as undici from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocketOfLibrary from 'ws';
import { CHECKED_CONNECTION, isAllowed, NETWORK_HOSTS } from './connection-guard.ts';
import { guardFile } from './testing/index.ts';

const open = createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
let trapped = 0;
const trap = createServer((socket) => {
  trapped += 1;
  socket.destroy();
});

function portOf(server: typeof trap): number {
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const allowed: string[] = [];
const refused = guardFile(allowed);
beforeAll(async () => {
  for (const server of [open, trap]) await once(server.listen(0, '127.0.0.1'), 'listening');
  allowed.push(`127.0.0.1:${portOf(open)}`);
});
afterAll(() => {
  for (const server of [open, trap]) server.close();
});

const failureIn = (emitter: NodeJS.EventEmitter) =>
  once(emitter, 'error').then(([error]) => Promise.reject(error));

const CLIENTS: readonly [string, (port: number) => Promise<unknown>][] = [
  ['a socket', (port) => failureIn(connect(port, '127.0.0.1'))],
  ['a socket by options', (port) => failureIn(connect({ host: '127.0.0.1', port }))],
  ['an encrypted socket', (port) => failureIn(connectTls({ host: '127.0.0.1', port }))],
  ['http', (port) => failureIn(httpRequest(`http://127.0.0.1:${port}`).end())],
  ['https', (port) => failureIn(httpsRequest(`https://127.0.0.1:${port}`).end())],
  ['fetch', (port) => fetch(`http://127.0.0.1:${port}`)],
  ['the HTTP client', (port) => undici.request(`http://127.0.0.1:${port}`)],
  ['fetch of the HTTP client', (port) => undici.fetch(`https://127.0.0.1:${port}`)],
  ['the WebSocket of the library', (port) => failureIn(new WebSocketOfLibrary(`ws://127.0.0.1:${port}`))],
];

test.each(CLIENTS)('refuses %s to another host before it connects', async (_, ask) => {
  refused.length = 0;
  await expect(ask(portOf(trap))).rejects.toThrow();
  expect(refused).toContain('127.0.0.1');
  expect(trapped).toBe(0);
});

test('lets allowed hosts through, and clients that check their target themselves', async () => {
  refused.length = 0;
  expect((await fetch(`http://127.0.0.1:${portOf(open)}`)).status).toBe(204);
  const checked = connect({ host: '127.0.0.1', port: portOf(trap), ...CHECKED_CONNECTION });
  await once(checked, 'connect');
  checked.destroy();
  expect(refused).toEqual([]);
});

describe('an allowed host', () => {
  test.each([
    ['web.whatsapp.com', 443, true],
    ['WEB.WhatsApp.com', 443, true],
    ['mmg.whatsapp.net', 443, true],
    ['media-fra3-1.cdn.whatsapp.net', 443, true],
    ['whatsapp.net', 443, false],
    ['web.whatsapp.com.example', 443, false],
    ['evilwhatsapp.net', 443, false],
    ['raw.githubusercontent.com', 443, false],
    ['127.0.0.1', 443, false],
  ])('of the network is %s:%i: %s', (host, port, allowed) => {
    expect(isAllowed(NETWORK_HOSTS, host, port)).toBe(allowed);
  });

  test('may be one port alone, and an IPv6 address', () => {
    expect(isAllowed(['[::1]:8080', 'db'], '::1', 8080)).toBe(true);
    expect(isAllowed(['[::1]:8080', 'db'], '::1', 8081)).toBe(false);
    expect(isAllowed(['[::1]:8080', 'db'], 'db', 5432)).toBe(true);
    expect([isAllowed([':8080'], 'any', 8080), isAllowed([':8080'], 'any', 80)]).toEqual([true, false]);
  });
});
