import type { SealedBox } from '#kernel';
import type { MailOutbox } from '#mail';
import type { AccountsContext } from '../context.ts';
import type { LinksContext } from './links.ts';

/** What is needed for people: how to reach them, and how to know them again. */
export interface MembersContext extends AccountsContext, LinksContext {
  readonly store: AccountsContext['store'];
  readonly random: AccountsContext['random'];
  readonly sealedBox: Pick<SealedBox, 'seal' | 'open'>;
  /** Undefined where the gateway sends none. */
  readonly mail: Mail | undefined;
}

interface Mail {
  readonly outbox: MailOutbox;
  /** Where links in mails lead to; never what a request says of it. Undefined while nobody can be led anywhere. */
  readonly origin: () => string | undefined;
}
