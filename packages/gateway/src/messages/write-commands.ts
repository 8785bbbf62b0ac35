import { acceptMessage, spendBudget } from './accept-command.ts';
import { noteReceipt } from './receipt-command.ts';
import { postponeMessage, settleMessage } from './settle-commands.ts';

export const commands = [acceptMessage, spendBudget, settleMessage, postponeMessage, noteReceipt];
