import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type LinkedNumber, linkedNumber, type Someone, someone, WATCHING } from '../conformance/numbers.ts';
import { type Receiver, startReceiver } from '../conformance/receiver.ts';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../services/trace-collector.ts';
import { type Cluster, startCluster } from './cluster.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const SECRET_WORDS = 'this text is secret';

let cluster: Cluster;
let collector: TraceCollector;
let receiver: Receiver;
let number: LinkedNumber;
let ada: Someone;

beforeAll(async () => {
  collector = await startTraceCollector();
  cluster = await startCluster({
    size: 2,
    roles: ['api,portal', 'worker,webhooks'],
    environment: {
      PARLEY_TRACES: 'on',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'gateway-under-test',
    },
  });
  for (const member of cluster.members.slice(1)) member.isAsked = false;
  receiver = await startReceiver();
  number = await linkedNumber(cluster);
  ada = await someone(cluster);
});
afterAll(async () => {
  receiver?.close();
  await cluster?.stop();
  collector?.close();
});

const send = (key: string, headers: Record<string, string> = {}) =>
  number.call(
    'POST',
    '/messages',
    { session_id: number.sessionId, to: ada.phone, text: SECRET_WORDS },
    { 'Idempotency-Key': key, ...headers },
  );

const spanOf = (name: string, fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
  vi.waitFor(() => {
    const found = collector.spans.find((span) => span.name === name && fits(span));
    if (!found) throw new Error(`no ${name} among ${collector.spans.map((span) => span.name).join(', ')}`);
    return found;
  }, WATCHING);

test('one trace leads from the caller through the request and the ack to the webhook, across processes', async () => {
  const webhook = { session_id: number.sessionId, status_url: receiver.url };
  expect((await number.call('POST', '/webhooks', webhook)).status).toBe(201);
  const { body, status } = await send('traced', { traceparent: `00-${TRACE}-${CALLER}-01` });
  expect(status).toBe(202);
  const { message_id } = body as { message_id: string };
  const delivery = await receiver.next('status', (event) => event.message_id === message_id);

  const ours = ({ traceId }: CollectedSpan) => traceId === TRACE;
  const accepted = await spanOf('POST /v1/messages', ours);
  expect(accepted).toMatchObject({
    parentSpanId: CALLER,
    attributes: { 'http.response.status_code': 202, 'parley.operation': 'sendMessage' },
  });
  const sent = await spanOf('send message', ours);
  expect(sent).toMatchObject({
    parentSpanId: accepted.spanId,
    attributes: { 'parley.message_id': message_id, 'parley.outcome': 'sent', 'parley.attempt': 1 },
  });
  const delivered = await spanOf('deliver webhook', ours);
  expect(delivered).toMatchObject({
    parentSpanId: accepted.spanId,
    attributes: { 'parley.event_kind': 'status', 'http.response.status_code': 200 },
  });
  expect(delivery.headers.traceparent).toBe(`00-${TRACE}-${delivered.spanId}-01`);
  expect(sent.instance).not.toBe(accepted.instance);
  expect(delivered.instance).toBe(sent.instance);
  expect(collector.raw()).toContain('gateway-under-test');
});

test('a call to the host of a number continues the trace in the process that hosts it', async () => {
  expect((await number.on('GET', '/groups')).status).toBe(200);
  const asked = await spanOf('GET /v1/sessions/{id}/groups', () => true);
  const hosted = await spanOf('host groups.list', ({ traceId }) => traceId === asked.traceId);
  expect(hosted.parentSpanId).toBe(asked.spanId);
  expect(hosted.instance).not.toBe(asked.instance);
});

test('a caller that opts out of recording is not recorded, and no webhook is marked', async () => {
  const trace = TRACE.replace('4b', '5b');
  const { body } = await send('unrecorded', { traceparent: `00-${trace}-${CALLER}-00` });
  const { message_id } = body as { message_id: string };
  const { headers } = await receiver.next('status', (event) => event.message_id === message_id);
  expect(headers.traceparent ?? '').not.toContain(trace);
  expect(collector.spans.filter(({ traceId }) => traceId === trace)).toEqual([]);
});

test('spans contain no content, no numbers and no keys', () => {
  for (const secret of [SECRET_WORDS, number.phone, ada.phone, number.apiKey])
    expect(collector.raw()).not.toContain(secret);
});
