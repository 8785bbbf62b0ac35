import { acceptMessage, chargeQuota } from './accept/write-commands.ts';
import { postponeMessage, settleMessage } from './outbox/write-commands.ts';
import { noteReceipt } from './receipts/write-commands.ts';

/** All commands of the room, for the writers that run them. */
export const commands = [acceptMessage, chargeQuota, settleMessage, postponeMessage, noteReceipt];
