import type { Clock, Ids, Random, SealedBox } from '#kernel';
import type { MailOutbox } from '#platform/mail';
import type { Store } from '#platform/store';

/** What every use case of this room needs. */
export interface AccountsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
}

/** What is needed for people: how to reach them, and how to know them again. */
export interface MembersContext extends AccountsContext {
  /** The machine's: people who follow links live by it, whatever time the sandbox has travelled to. */
  readonly machineClock: Clock;
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  /** Undefined where the gateway sends none. */
  readonly mail: Mail | undefined;
}

interface Mail {
  readonly outbox: MailOutbox;
  /** Origin of links in mails, never taken from a request. Undefined while the public address is unknown. */
  readonly origin: () => string | undefined;
}
