import type { PasskeyCredential } from '@parley/contract';
import type { PairingProgress, PairingRequest } from '#network';
import type { OwnedNumber } from '#platform/http';
import type { Process } from './process.ts';

/** For tests only: a network that asks for a passkey, step by step as the test says. */
export interface GuardedNetwork {
  /** Answers to the newest attempt, in order. */
  readonly received: unknown[];
  say(progress: PairingProgress): void;
  /** The phone has agreed. */
  link(): Promise<string>;
  readonly isCancelled: boolean;
}

export const CHALLENGE = 'q0vX2mP1u8hZ3w';
export const OPTIONS = {
  challenge: CHALLENGE,
  rpId: 'whatsapp.com',
  timeout: 600_000,
  allowCredentials: [],
  userVerification: 'required',
  extensions: { uvm: true },
};

/** An assertion for a challenge; its signature is not checked here. */
export function assertion(challenge = CHALLENGE): PasskeyCredential {
  const clientData = { type: 'webauthn.get', challenge, origin: 'https://web.whatsapp.com' };
  return {
    id: 'aWQ',
    rawId: 'aWQ',
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
      authenticatorData: 'YXV0aA',
      signature: 'c2lnbmF0dXJl',
      userHandle: null,
    },
  };
}

/** Wraps a driver: the phone scans as usual, and the test emits what the network asks before it agrees. */
export function guard(process: Process, number: OwnedNumber): GuardedNetwork {
  const received: unknown[] = [];
  let current: PairingRequest | undefined;
  let qr = '';
  let isSilent = false;
  let isCancelled = false;
  const { driver } = process;
  const pair = driver.pair.bind(driver);
  driver.pair = (request) => {
    if (request.phone !== number.phone) return pair(request);
    current = request;
    isSilent = false;
    isCancelled = false;
    const attempt = pair({
      ...request,
      onProgress(progress) {
        if (progress.kind === 'qr') qr = progress.qr;
        if (progress.kind !== 'qr' || !isSilent) request.onProgress(progress);
      },
    });
    return {
      answerPasskey: (credential) => void received.push(credential),
      confirm: () => void received.push('confirmed'),
      cancel() {
        isCancelled = true;
        return attempt.cancel();
      },
    };
  };
  return {
    received,
    say(progress) {
      isSilent = true;
      current?.onProgress(progress);
    },
    link: async () => (await driver.pairing.scan(number.phone, qr)).sessionId,
    get isCancelled() {
      return isCancelled;
    },
  };
}
