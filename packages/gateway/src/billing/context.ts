import type { AccountsContext } from '#accounts';
import type { Ids, SealedBox } from '#kernel';

/** What every use case of this room needs. */
export interface BillingContext extends AccountsContext {
  readonly ids: Ids;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  /** Where the operator's billing system may stand. */
  readonly urlRules: { readonly httpsOnly: boolean; readonly publicOnly: boolean };
  readonly notices?: NoticeBell;
}

/** Rings when there is something to tell it. */
export interface NoticeBell {
  ring(): void;
  onRing(hear: () => void): void;
}

export function createNoticeBell(): NoticeBell {
  const listeners: (() => void)[] = [];
  return {
    ring: () => {
      for (const hear of listeners) hear();
    },
    onRing: (hear) => void listeners.push(hear),
  };
}
