import type { AccountsContext } from '#accounts';
import type { Ids, SealedBox } from '#kernel';

/** What every use case of this room needs. */
export interface BillingContext extends AccountsContext {
  readonly ids: Ids;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  /** Where the operator's billing system may stand. */
  readonly urlRules: { readonly httpsOnly: boolean; readonly publicOnly: boolean };
  /** There is something to tell it. */
  readonly wakeNotices?: () => void;
}
