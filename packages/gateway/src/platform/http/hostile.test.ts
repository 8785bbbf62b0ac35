import type { Operation } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { type Owner, PORTAL_HEADERS, signIn } from '#surfaces/portal/testing';
import { everyRow, moveIn, OPERATOR_TOKEN, startGateway, type Tenant, type TestGateway } from '#testing';
import { leastCpuMs, meanCpuMs } from '#testing/cpu';
import { allOperations } from './testing/harness.ts';
import { type HostileRequest, hostileRequests } from './testing/hostile-requests.ts';

/** Processor time of one request, on a machine that runs the floor in a twentieth of it. */
const CPU_MAX_MS = 50;
const FLOORS = 20;
/** An operation that passes its body on unchanged; the virtual network validates it. */
const HANDS_ON = new Set(['useSandbox']);

describe('what no operation may take', () => {
  let gateway: TestGateway;
  let ada: Tenant;
  let owner: Owner;
  let mayTakeMs: number;
  beforeAll(async () => {
    // Heartbeats would change rows during the test.
    gateway = await startGateway({ machineClock: createSteppedClock() });
    ada = await moveIn(gateway);
    owner = await signIn(gateway);
    mayTakeMs = Math.max(CPU_MAX_MS, FLOORS * (await measureFloor()));
  });
  afterAll(() => gateway.close());

  /** Cost of parsing large JSON, and refusing it for an unknown field. */
  async function measureFloor(): Promise<number> {
    const body = JSON.stringify({ unknown: 'x'.repeat(100_000) });
    return meanCpuMs(50, () =>
      gateway.request({ method: 'POST', url: '/v1/messages', key: ada.apiKey, body }),
    );
  }

  async function strike({ method, surface }: Operation, { what, url, body }: HostileRequest): Promise<void> {
    const isPortal = surface.startsWith('portal');
    const headers = isPortal ? { ...PORTAL_HEADERS, cookie: owner.browser.cookie } : {};
    const key = isPortal ? undefined : surface === 'operator' ? OPERATOR_TOKEN : ada.apiKey;
    let answer = { statusCode: 0, body: '' };
    const ms = await leastCpuMs(mayTakeMs, async () => {
      answer = await gateway.request({ method, url, key, headers, body });
    });
    expect(ms, `${what}: CPU`).toBeLessThanOrEqual(mayTakeMs);
    expect(answer.statusCode, `${what}: ${answer.body}`).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode, `${what}: ${answer.body}`).toBeLessThan(500);
    expect(JSON.parse(answer.body), what).toEqual({ error: expect.stringMatching(/^[^\n]{1,400}$/) });
  }

  const attacked = allOperations.filter(
    ({ id, path, body, query, answerType }) =>
      (body !== undefined || query !== undefined || path.includes('{')) &&
      !HANDS_ON.has(id) &&
      answerType !== 'text/event-stream',
  );

  it.each(attacked.map((operation) => [operation.id, operation] as const))(
    'is refused by %s in one sentence, at little cost, and changes nothing',
    async (_id, operation) => {
      const before = await everyRow(gateway);
      for (const request of hostileRequests(operation, ada)) await strike(operation, request);
      expect(await everyRow(gateway)).toEqual(before);
    },
  );

  it('leaves no bug in the log', () => {
    expect(gateway.log()).not.toContain('internal_error');
  });
});
