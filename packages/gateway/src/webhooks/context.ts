import type { Plan } from '@parley/contract';
import type { Clock, Ids, Random, SealedBox } from '#kernel';
import type { Bus } from '#platform/bus';
import type { Store } from '#platform/store';

/** What every use case of this room needs. */
export interface WebhooksContext {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'webhook' | 'event' | 'replay'>;
  readonly random: Random;
  readonly sealedBox: SealedBox;
  /** Undefined when the number is gone. */
  readonly planOf: (accountId: string, phone: string) => Promise<Plan | undefined>;
  /** Which URLs may be registered. */
  readonly urlRules: { readonly httpsOnly: boolean; readonly publicOnly: boolean };
}
