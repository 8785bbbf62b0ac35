import assert from 'node:assert/strict';
import type { ApiKeyCreated, Device, Onboarding } from '@parley/contract';
import { createSoftAuthenticator, type SoftAuthenticator } from '@parley/sandbox/authenticator';
import { type Answer, ask, type Method } from '../../conformance/ask.ts';
import type { Gateway } from '../../conformance/gateway.ts';
import { OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { until } from '../linked-number.ts';

type PairingMethod = 'qr' | 'code';
/** The last step before the kill. */
export type Stage = 'started' | 'shown' | 'taken' | 'asked' | 'signed' | 'compare' | 'confirmed';

/** Codes are compared after linking by code with a phone that had no key of its own. */
export const STAGES: readonly [Kill, ...Kill[]] = [
  { stage: 'started', method: 'qr' },
  { stage: 'signed', method: 'qr' },
  { stage: 'shown', method: 'code' },
  { stage: 'confirmed', method: 'code' },
  { stage: 'asked', method: 'qr' },
  { stage: 'signed', method: 'code' },
  { stage: 'taken', method: 'qr' },
  { stage: 'compare', method: 'code' },
  { stage: 'signed', method: 'qr' },
  { stage: 'asked', method: 'code' },
];
interface Kill {
  readonly stage: Stage;
  readonly method: PairingMethod;
}

interface PhoneView {
  readonly linked_devices: readonly { readonly session_id: string }[];
}

const ORIGIN = 'https://localhost';
const FIRST_PHONE = 15_550_009_001;
let numbers = 0;

/** A number with a passkey, as its integrator and its owner handle it together. */
export class GuardedNumber {
  readonly #phone: string;
  readonly #gateway: Gateway;
  readonly #networkUrl: string;
  readonly #slotId: string;
  readonly #key: string;
  readonly #passkeys: SoftAuthenticator;
  #onboardId = '';

  private constructor(
    gateway: Gateway,
    networkUrl: string,
    account: { phone: string; slotId: string; key: string; passkeys: SoftAuthenticator },
  ) {
    this.#gateway = gateway;
    this.#phone = account.phone;
    this.#networkUrl = networkUrl;
    this.#slotId = account.slotId;
    this.#key = account.key;
    this.#passkeys = account.passkeys;
  }

  /** A new one each time: the network limits the codes of a number. */
  static async register(gateway: Gateway, networkUrl: string): Promise<GuardedNumber> {
    const phone = String(FIRST_PHONE + numbers);
    numbers += 1;
    const { account_id } = await gateway.operator<{ account_id: string }>('POST', '/accounts', {
      name: 'Harbour Books',
      email: `${phone}@example.com`,
    });
    const account = `/accounts/${account_id}`;
    const { slot_id: slotId } = await gateway.operator<Device>('POST', `${account}/devices`, {
      phone,
      plan: 'max',
    });
    const { api_key: key } = await gateway.operator<ApiKeyCreated>('POST', `${account}/api-keys`, {
      name: 'chaos',
    });
    const passkeys = createSoftAuthenticator({ origin: ORIGIN });
    const number = new GuardedNumber(gateway, networkUrl, { phone, slotId, key, passkeys });
    await number.#network('POST', '/phones', { phone, name: 'Gus', requires_passkey: true });
    const options = await number.#network<Parameters<SoftAuthenticator['create']>[0]>(
      'GET',
      `/phones/${phone}/passkey`,
    );
    await number.#network('POST', `/phones/${phone}/passkey`, passkeys.create(options));
    return number;
  }

  /** Begins to link, and stops right after a stage. */
  async goTo(stage: Stage | 'linked', method: PairingMethod): Promise<void> {
    const compares = stage === 'compare' || stage === 'confirmed';
    if (compares) await this.#network('POST', '/faults', { phone: this.#phone, fault: 'passkey_bare_code' });
    const path = method === 'qr' ? '/sessions/onboard' : '/sessions/paircode';
    const { body, status } = await this.#call<Onboarding>('POST', path, { slot_id: this.#slotId });
    assert.equal(status, 200, JSON.stringify(body));
    this.#onboardId = body.onboard_id;
    if (stage !== 'started') await this.#goOn(stage, method);
  }

  async #goOn(stage: Stage | 'linked', method: PairingMethod): Promise<void> {
    const compares = stage === 'compare' || stage === 'confirmed';
    const { qr, code } = await this.#until(method);
    if (stage === 'shown') return;
    if (method === 'qr') await this.#network('POST', `/phones/${this.#phone}/scan`, { qr });
    else await this.#network('POST', `/phones/${this.#phone}/enter-code`, { code });
    if (stage === 'taken') return;

    const { passkey } = await this.#until('passkey');
    if (stage === 'asked') return;
    assert.ok(passkey);
    const { challenge, rpId } = passkey.options;
    const assertion = this.#passkeys.get({ challenge, ...(rpId !== undefined && { rpId }) });
    const signed = await this.#call('POST', `/onboard/${this.#onboardId}/passkey`, assertion);
    assert.equal(signed.status, 200, JSON.stringify(signed.body));
    if (stage === 'signed') return;

    if (compares) {
      await this.#until('confirm');
      if (stage === 'compare') return;
      await this.#call('POST', `/onboard/${this.#onboardId}/confirm`);
      return;
    }
    await this.#until('paired');
  }

  /** Reads the outcome of the attempt and checks that the gateway and the phone's screen agree with it. */
  async settle(stage: Stage, method: PairingMethod): Promise<'linked' | 'ended'> {
    const isOver = ({ status }: Onboarding): boolean => status === 'paired' || status === 'error';
    // An attempt that no worker had taken is taken by the next process, and continues. What a dead process still shows is void, and soon
    // replaced by its error.
    const goesOn = ({ status }: Onboarding): boolean => stage === 'started' && status === method;
    const wait = (fits: (seen: Onboarding) => boolean) =>
      until('the end of the attempt', () => this.#poll(), fits);
    if (goesOn(await wait((seen) => isOver(seen) || goesOn(seen))))
      await this.#goOn('linked', method).catch(() => {});
    const { status, session_id, error } = await wait(isOver);
    if (status === 'error') {
      assert.match(error ?? '', /^[A-Z].*\.$/);
      assert.deepEqual(await this.#sessions(), []);
      await this.#devicesAre([]);
      return 'ended';
    }
    await this.#isLinkedAs(session_id ?? '');
    return 'linked';
  }

  async linkAfresh(method: PairingMethod): Promise<void> {
    await this.goTo('linked', method);
    await this.#isLinkedAs((await this.#poll()).session_id ?? '');
  }

  async unlink(): Promise<void> {
    const { status } = await this.#call(
      'DELETE',
      `/sessions/${encodeURIComponent(`${this.#phone}@s.whatsapp.net`)}`,
    );
    assert.equal(status, 204);
    await this.#devicesAre([]);
  }

  async #isLinkedAs(sessionId: string): Promise<void> {
    await until(
      'the connection',
      () => this.#sessions(),
      ([session]) => session?.session_id === sessionId && session.status === 'connected',
    );
    await this.#devicesAre([sessionId]);
  }

  async #devicesAre(expected: readonly string[]): Promise<void> {
    const wanted = JSON.stringify(expected);
    await until(
      `devices ${wanted} on the phone`,
      async () => (await this.#network<PhoneView>('GET', `/phones/${this.#phone}`)).linked_devices,
      (devices) => JSON.stringify(devices.map(({ session_id }) => session_id)) === wanted,
    );
  }

  async #sessions(): Promise<readonly { session_id: string; status: string }[]> {
    const { body } = await this.#call<{ sessions: { session_id: string; status: string }[] }>(
      'GET',
      '/sessions',
    );
    return body.sessions;
  }

  async #poll(): Promise<Onboarding> {
    return (await this.#call<Onboarding>('GET', `/onboard/${this.#onboardId}`)).body;
  }

  #until(wanted: Onboarding['status']): Promise<Onboarding> {
    return until(
      wanted,
      () => this.#poll(),
      (seen) => {
        assert.notEqual(seen.status, 'error', seen.error);
        return seen.status === wanted;
      },
    );
  }

  #call<T>(method: Method, path: string, body?: object): Promise<Answer<T>> {
    return ask(this.#gateway.url, { method, path: `/v1${path}`, token: this.#key, body });
  }

  async #network<T>(method: Method, path: string, body?: object): Promise<T> {
    const answer = await ask<T>(this.#networkUrl, {
      method,
      path: `/sandbox/v1${path}`,
      token: OPERATOR_TOKEN,
      body,
    });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
