import type { PeriodicJob } from '#kernel';
import { dropOldMessages } from '../retention.ts';
import { abandonOrphans } from './abandon.ts';
import { createMediaSpool, type MediaSpoolOptions } from './media-spool.ts';
import { type OutboxContext, startOutbox } from './outbox.ts';

/** What this room does by itself in a process that hosts sessions: sends what was accepted, and tidies up after it. */
export interface Sender {
  start(): void;
  /** To be called while the sessions are still there. */
  stop(): Promise<void>;
}

export interface SenderParts extends Omit<OutboxContext, 'spool'> {
  readonly media: MediaSpoolOptions;
}

export function createSender({ media, ...parts }: SenderParts): Sender {
  let chores: PeriodicJob[] = [];
  return {
    start() {
      const spool = createMediaSpool(media);
      chores = [startOutbox({ ...parts, spool }), abandonOrphans(parts), dropOldMessages(parts)];
    },
    async stop() {
      await Promise.all(chores.map((chore) => chore.stop()));
    },
  };
}
