import { createDataKeys, createDirectory } from '#accounts';
import type { Bus } from '#bus';
import { createChannelActions } from '#channels';
import { nameChat } from '#chats';
import type { Config } from '#config';
import { createContactActions } from '#contacts';
import { createEgress } from '#egress';
import { createEventLog } from '#event-log';
import { createGroupActions } from '#groups';
import { createHealthFollower } from '#health';
import { createChatBook, createHistories } from '#history';
import { type Clock, createIds, type Random, type SealedBox } from '#kernel';
import { createSendBudget } from '#messages';
import type { Log } from '#ops';
import type { Store } from '#store';
import { openMedia } from './open-media.ts';

interface Parts {
  readonly store: Store;
  readonly bus: Bus;
  readonly sealedBox: SealedBox;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Where links to files lead. */
  readonly publicUrl: () => string | undefined;
  /** This thread delivers, and hears from the store of everything that there is to deliver. */
  readonly deliveriesAreTold: boolean;
  /** Of this thread alone: files pass through it. */
  readonly passage: string;
}

export type Common = ReturnType<typeof openCommon>;

/** What whoever hosts numbers needs as well as whoever answers requests about them, each for itself. */
export function openCommon(config: Config, parts: Parts, opened: AsyncDisposableStack) {
  const { store, bus, sealedBox, clock, machineClock, random, log, deliveriesAreTold } = parts;
  const ids = createIds({ clock, random });
  const egress = createEgress({ clock: machineClock, publicOnly: config.mode === 'production' });
  opened.defer(() => egress.close());
  const directory = createDirectory({ store, clock });
  opened.defer(() => directory.close());
  const events = createEventLog({ store, bus, sealedBox, clock, deliveriesAreTold });
  const follower = createHealthFollower({ store, events, clock, log });
  opened.defer(() => follower.stop());
  const dataKeys = createDataKeys({ store, sealedBox, random, clock });
  const histories = createHistories({ store, bus, keys: dataKeys, clock, log });
  opened.defer(() => histories.stop());
  const budget = createSendBudget({ store, clock, terms: directory });
  const media = openMedia(config, { ...parts, dataKeys, ids, egress }, opened);
  const { files, fetchMedia } = media;
  return {
    ...parts,
    ...{ ids, egress, directory, events, follower, dataKeys, histories, media },
    book: createChatBook({ store }),
    actions: {
      groups: createGroupActions({ files }),
      contacts: createContactActions({ files }),
      channels: createChannelActions({ files, budget, ids }),
      files: { fetchMedia },
      chats: { nameChat },
    },
  };
}
