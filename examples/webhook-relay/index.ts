import { createServer } from 'node:http';
import { createParley, createWebhookReceiver, type ParleyEvent, type VerifiedDelivery } from 'parley-sdk';

/**
 * Forwards events to a workflow: n8n, Make, Zapier or any other program with a webhook. The signature is verified here, so that
 * the workflow need not, and its answer decides: unless it accepts the event, Parley delivers it again later.
 */
const TARGET = process.env.TARGET_URL ?? 'http://127.0.0.1:5678/webhook/parley';
const PORT = Number(process.env.PORT ?? 3000);
/** The address of this program for Parley. In production an https address. */
const PUBLIC_URL = process.env.PUBLIC_URL ?? `http://127.0.0.1:${PORT}`;
const PATIENCE_MS = 8_000;

const parley = createParley({ url: process.env.PARLEY_URL, apiKey: process.env.PARLEY_API_KEY });
const [session] = (await parley.sessions.list()).sessions;
if (!session) throw new Error('Link a number first.');

const receiver = createWebhookReceiver({
  secret: await registered(session.session_id, session.phone),
  on: { any: relay },
});
createServer(receiver.express).listen(PORT, '127.0.0.1', () => console.log(`Relaying to ${TARGET}`));

/** The secret of a webhook is shown once, so an existing webhook gets a new secret. */
async function registered(session_id: string, phone: string): Promise<string> {
  const urls = { messages_url: PUBLIC_URL, events_url: PUBLIC_URL };
  const { webhooks } = await parley.webhooks.list();
  const known = webhooks.find((webhook) => webhook.phone === phone);
  if (!known) return (await parley.webhooks.create({ session_id, ...urls })).secret;
  await parley.webhooks.update(known.id, urls);
  return (await parley.webhooks.rotateSecret(known.id)).secret;
}

async function relay(event: ParleyEvent, { id }: VerifiedDelivery): Promise<void> {
  const answer = await fetch(TARGET, {
    method: 'POST',
    // The same on every attempt: a workflow that must not run twice stores it.
    headers: { 'content-type': 'application/json', 'x-event-id': id },
    body: JSON.stringify(event),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok) throw new Error(`${TARGET} answered ${answer.status}`);
  console.log(`Relayed: ${event.kind}`);
}
