import { acceptMessage, spendBudget } from './accept/write-commands.ts';
import { postponeMessage, settleMessage } from './outbox/write-commands.ts';
import { noteReceipt } from './receipts/write-commands.ts';

export const commands = [acceptMessage, spendBudget, settleMessage, postponeMessage, noteReceipt];
