import type { AccountsContext } from '#accounts';
import type { Ids, SealedBox } from '#kernel';

/** What every use case of this room needs. */
export interface BillingContext extends AccountsContext {
  readonly ids: Ids;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  /** Where the operator's billing system may stand. */
  readonly urlRules: { readonly httpsOnly: boolean; readonly publicOnly: boolean };
  readonly notices?: WakeSignal;
}

/** Signals that a notice is queued. */
export interface WakeSignal {
  ring(): void;
  onRing(listener: () => void): void;
}

export function createWakeSignal(): WakeSignal {
  const listeners: (() => void)[] = [];
  return {
    ring: () => {
      for (const listener of listeners) listener();
    },
    onRing: (listener) => void listeners.push(listener),
  };
}
