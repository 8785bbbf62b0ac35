import Fastify from 'fastify';
import { createTestWorld, type TestWorld } from '../world/fixture.ts';
import { type PairingService, WorldError } from '../world/index.ts';
import { type SandboxControl, sandboxRoutes } from './plugin.ts';

/** For tests only: the sandbox's interface over a small world, with a screen to link. */
export interface TestControl {
  world: TestWorld;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  request(method: 'GET' | 'DELETE' | 'POST', path: string, payload?: string): Promise<Answer>;
}

interface Answer {
  status: number;
  /** The parsed body; undefined without one. */
  body: ReturnType<typeof JSON.parse>;
}

export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function createTestPairing(world: TestWorld): PairingService {
  const link = async (phone: string, shown: string) => {
    if (shown === 'broken') throw new Error('an internal detail');
    if (shown === 'expired') throw new WorldError('gone', 'the QR has expired');
    if (shown !== 'shown' && shown !== 'ABCD-1234') {
      throw new WorldError('not_found', 'no screen shows that');
    }
    return world.devices.link(phone, new Uint8Array([1]));
  };
  return { scan: link, enterCode: link, guarded: () => undefined };
}

/** Everything that the interface needs, with one host that serves files. */
export function createTestParts(): SandboxControl & { world: TestWorld } {
  const world = createTestWorld();
  return {
    world,
    pairing: createTestPairing(world),
    clock: world.clock,
    fetcher: {
      async fetch(url) {
        if (!url.startsWith('https://files.example.com/')) return undefined;
        return { bytes: onePixel, mimetype: 'image/png' };
      },
    },
  };
}

export function createTestControl(): TestControl {
  const parts = createTestParts();
  const { world } = parts;
  const app = Fastify();
  app.register(sandboxRoutes(parts), { prefix: '/sandbox/v1' });
  const request = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: string) => {
    const answer = await app.inject({
      method,
      url: `/sandbox/v1${path}`,
      ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };
  return {
    world,
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, JSON.stringify(body)),
    put: (path, body) => request('PUT', path, JSON.stringify(body)),
  };
}
