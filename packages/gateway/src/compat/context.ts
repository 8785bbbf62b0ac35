import type { AccountsContext } from '#accounts';
import type { Egress } from '#egress';
import type { ForeignSurface, OwnedNumber, Soon } from '#http';
import type { Clock, Random } from '#kernel';
import type { MediaAccess } from '#media';
import type { WebhookFormat, WebhooksContext } from '#webhooks';
import type { NamesContext } from './names/names.ts';
import type { Settling } from './settling.ts';

/** What a surface is built from. All that it does to numbers, chats and messages it does by operations of `/v1` (`call.invoke`). */
export interface CompatContext extends NamesContext {
  readonly machineClock: Clock;
  readonly random: Random;
  /** Endpoints in a format of the surface's own. */
  readonly webhooks: WebhooksContext;
  readonly accounts: AccountsContext;
  readonly settling: Settling;
  readonly egress: Pick<Egress, 'ask'>;
  readonly media: Pick<MediaAccess, 'find' | 'obtain' | 'read' | 'forget'>;
  /** Undefined when no such number belongs to the account. */
  readonly ownedNumber: (accountId: string, phone: string) => Soon<OwnedNumber | undefined>;
  /** Where clients reach the gateway; undefined while nobody knows. */
  readonly publicUrl: () => string | undefined;
  /** By their names, with the hosts that they have to themselves, or nothing. */
  readonly served: ReadonlyMap<string, string>;
  readonly version: string;
  /** How large a file may be that is answered in base64. */
  readonly base64MaxBytes: number;
}

/** Where clients reach a surface; undefined while nobody knows. */
export function addressOf(
  surface: string,
  { publicUrl, served }: Pick<CompatContext, 'publicUrl' | 'served'>,
): string | undefined {
  const address = publicUrl();
  if (address === undefined) return undefined;
  const host = served.get(surface);
  return host ? `${new URL(address).protocol}//${host}` : `${address}/${surface}`;
}

/** One program's interface: what is served under its prefix, and how its webhooks speak. */
export interface Compatible {
  readonly surface: ForeignSurface;
  /** Under the name of the surface. */
  readonly format: WebhookFormat;
  /** Ends what it has under way. */
  stop?(): Promise<void>;
}
