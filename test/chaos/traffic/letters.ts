import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../conformance/gateway.ts';

/** Somebody who writes into a chat again and again, straight on the virtual network, which does not fail. */
export interface Writer {
  /** Ids of the messages that the network has taken. */
  readonly written: readonly string[];
  keepWriting(stop: AbortSignal): Promise<void>;
}

const PAUSE_MS = 700;

export function createWriter(network: Gateway, from: string, to: string): Writer {
  const written: string[] = [];
  return {
    written,
    async keepWriting(stop) {
      while (!stop.aborted) {
        const letter = { to, text: `letter ${written.length}` };
        const { message_id } = await network.sandbox<{ message_id: string }>(
          'POST',
          `/phones/${from}/messages`,
          letter,
        );
        written.push(message_id);
        await sleep(PAUSE_MS);
      }
    },
  };
}
