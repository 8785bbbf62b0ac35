import type { AnyCommand } from '#store';

export { type LoggedEvent, queueDeliveries } from './queue.ts';

export const commands: readonly AnyCommand[] = [];
