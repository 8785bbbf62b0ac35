import { claimDeliveries } from './claim.ts';
import { settleDeliveries } from './settle.ts';

export { type LoggedEvent, queueDeliveries } from './queue.ts';

export const commands = [claimDeliveries, settleDeliveries];
