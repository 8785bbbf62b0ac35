import type { AccountsContext } from '#accounts';
import type { ForeignSurface } from '#http';
import type { Clock, Random } from '#kernel';
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
  /** Where clients reach the gateway; undefined while nobody knows. */
  readonly publicUrl: () => string | undefined;
  readonly version: string;
}

/** One program's interface: what is served under its prefix, and how its webhooks speak. */
export interface Compatible {
  readonly surface: ForeignSurface;
  /** Under the name of the surface. */
  readonly format: WebhookFormat;
  /** Ends what it has under way. */
  stop?(): Promise<void>;
}
