import { claimLane, releaseLane } from './lease.ts';
import { dropOverflow } from './overflow.ts';
import { settleDeliveries } from './settle.ts';

export { type LoggedEvent, queueDeliveries } from './queue.ts';

export const commands = [claimLane, releaseLane, settleDeliveries, dropOverflow];
