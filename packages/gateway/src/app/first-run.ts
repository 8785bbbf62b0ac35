import { recordCreator } from '@parley/sandbox/control';
import { demoPhone, seedDemo } from '@parley/sandbox/world';
import { createAccount, createApiKey, hasAccounts, registerDevice } from '#accounts';
import type { Config } from '#config';
import type { Random } from '#kernel';
import type { App } from './create-app.ts';

/** What a new user needs to try everything at once; shown on the first start only. */
export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly sessionId: string;
}

const EMAIL = 'demo@parley.local';
const ADA = '15550002001';
/** Linking takes about a second; a machine that needs this long has other problems. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

/**
 * Runs on an empty data directory, unless disabled: creates three virtual people, and an account whose number is linked to the first
 * one's phone. It uses the public interface only, so that a working demo proves a working gateway.
 */
export async function firstRun(app: App, config: Config): Promise<Demo | undefined> {
  const { sandbox, store, accounts } = app;
  if (config.demo === 'off' || !sandbox || !config.roles.has('api')) return undefined;
  if (await hasAccounts(store.read)) return undefined;

  seedDemo(sandbox.world);
  const password = onetimePassword(accounts.random);
  const account = await createAccount(accounts, 'system', { name: 'Demo', email: EMAIL, password });
  const { account_id: accountId } = account;
  for (const { phone } of sandbox.world.phones.list()) recordCreator(sandbox.world, phone, accountId);
  const device = await registerDevice(accounts, 'system', accountId, { phone: demoPhone, plan: 'max' });
  const { api_key: apiKey } = await createApiKey(accounts, 'system', accountId, { name: 'Demo' });
  const sessionId = await linkDemoPhone(app, sandbox, { apiKey, slotId: device.slot_id });
  return { email: EMAIL, password, apiKey, sessionId };
}

async function linkDemoPhone(
  { http, accounts: { clock } }: App,
  { pairing }: NonNullable<App['sandbox']>,
  { apiKey, slotId }: { apiKey: string; slotId: string },
): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const started = await http.inject({
    method: 'POST',
    url: '/v1/sessions/onboard',
    headers,
    payload: { slot_id: slotId },
  });
  const { onboard_id: id } = started.json<{ onboard_id: string }>();
  const giveUpAt = clock.monotonic() + PATIENCE_MS;
  let scanned: string | undefined;
  while (clock.monotonic() < giveUpAt) {
    const polled = await http.inject({ url: `/v1/onboard/${id}`, headers });
    const { qr, session_id: sessionId, error } = polled.json<OnboardingAnswer>();
    if (sessionId !== undefined) return sessionId;
    if (error !== undefined) throw new Error(`The demo number could not be linked: ${error}`);
    if (qr !== undefined && scanned === undefined) {
      scanned = qr;
      await pairing.scan(demoPhone, qr);
    }
    await clock.sleep(LOOK_EVERY_MS);
  }
  throw new Error('The demo number could not be linked in time.');
}

interface OnboardingAnswer {
  readonly qr?: string;
  readonly session_id?: string;
  readonly error?: string;
}

/** 80 random bits in unambiguous characters. */
function onetimePassword(random: Random): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
  const characters = Array.from(random.bytes(16), (byte) => alphabet.charAt(byte & 31)).join('');
  return (characters.match(/.{4}/g) ?? []).join('-');
}

/** A command to paste: it sends a message from the demo number to Ada. */
export function curlLine(address: string, { apiKey, sessionId }: Demo): string {
  const body = JSON.stringify({ session_id: sessionId, to: ADA, text: 'Hello Ada' });
  return [
    `curl -sS ${address}/v1/messages`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-H 'Idempotency-Key: hello-ada'`,
    `-d '${body}'`,
  ].join(' ');
}
