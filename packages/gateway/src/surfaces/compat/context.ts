import type { AccountsContext } from '#accounts';
import type { Clock, Random } from '#kernel';
import type { MediaAccess } from '#media';
import type { Egress } from '#platform/egress';
import type { CompatApi, MaybePromise, OwnedNumber } from '#platform/http';
import type { WebhookFormat, WebhooksContext } from '#webhooks';
import type { NamesContext } from './names/names.ts';
import type { Settling } from './settling.ts';

/** Dependencies of a surface. Changes to numbers, chats and messages go through operations of `/v1` (`call.invoke`). */
export interface CompatContext extends NamesContext {
  readonly machineClock: Clock;
  readonly random: Random;
  /** Webhook endpoints with the surface's own format. */
  readonly webhooks: WebhooksContext;
  readonly accounts: AccountsContext;
  readonly settling: Settling;
  readonly egress: Pick<Egress, 'ask'>;
  readonly media: Pick<MediaAccess, 'find' | 'obtain' | 'read' | 'forget'>;
  /** Undefined when the account has no such number. */
  readonly ownedNumber: (accountId: string, phone: string) => MaybePromise<OwnedNumber | undefined>;
  /** Address at which clients reach the gateway; undefined while unknown. */
  readonly publicUrl: () => string | undefined;
  /** Names of the enabled surfaces, each with its dedicated host or an empty string. */
  readonly served: ReadonlyMap<string, string>;
  readonly version: string;
  /** Largest file that is returned in base64. */
  readonly base64MaxBytes: number;
}

/** Address at which clients reach a surface; undefined while unknown. */
export function addressOf(
  surface: string,
  { publicUrl, served }: Pick<CompatContext, 'publicUrl' | 'served'>,
): string | undefined {
  const address = publicUrl();
  if (address === undefined) return undefined;
  const host = served.get(surface);
  return host ? `${new URL(address).protocol}//${host}` : `${address}/${surface}`;
}

/** Interface of another program: its endpoints under one prefix, and its webhook format. */
export interface Compatible {
  readonly surface: CompatApi;
  /** Registered under the name of the surface. */
  readonly format: WebhookFormat;
  /** Ends its background work. */
  stop?(): Promise<void>;
}
