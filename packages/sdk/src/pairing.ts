import type { Call, CallOptions } from './call.ts';
import { pairing } from './generated/methods.ts';
import type { Onboarding } from './generated/types.ts';
import type { Platform } from './platform.ts';

const POLL_INTERVAL_MS = 2_000;

export function pairingOf(call: Call, platform: Platform) {
  const methods = pairing(call);

  /** Follows a pairing attempt: yields each new state, including fresh QR codes, until `paired` or `error`. */
  async function* follow(onboardId: string, options?: CallOptions): AsyncGenerator<Onboarding, void, void> {
    let shown = '';
    while (true) {
      const state = await methods.get(onboardId, options);
      const { status, qr, code, passkey } = state;
      const showing = [status, qr, code, passkey?.options.challenge].join('\n');
      if (showing !== shown) yield state;
      shown = showing;
      if (status === 'paired' || status === 'error') return;
      await platform.sleep(POLL_INTERVAL_MS, options?.signal);
    }
  }

  return { ...methods, follow };
}
