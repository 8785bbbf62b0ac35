import { accountLifeOperations } from './account-life.ts';
import { billingOperations } from './billing.ts';
import { channelOperations } from './channels.ts';
import { chatOperations } from './chats.ts';
import { contactOperations } from './contacts.ts';
import { eventOperations } from './events.ts';
import { groupOperations } from './groups.ts';
import { historyOperations } from './history.ts';
import { mediaOperations } from './media.ts';
import { messageOperations } from './messages.ts';
import { operatorOperations } from './operator.ts';
import { oversightOperations } from './oversight.ts';
import { pairingOperations } from './pairing.ts';
import { portalOperations } from './portal/index.ts';
import { publicOperations } from './public.ts';
import { sessionOperations } from './sessions.ts';
import { termsOperations } from './terms.ts';
import { webhookOperations } from './webhooks.ts';

export * from './bounds.ts';
export type { EventPage } from './events.ts';
export * from './offers.ts';
export * from './operation.ts';

/** Every HTTP operation, in the order of the documentation. */
export const operations = {
  ...pairingOperations,
  ...sessionOperations,
  ...groupOperations,
  ...contactOperations,
  ...historyOperations,
  ...chatOperations,
  ...channelOperations,
  ...messageOperations,
  ...mediaOperations,
  ...webhookOperations,
  ...eventOperations,
  ...termsOperations,
  ...operatorOperations,
  ...accountLifeOperations,
  ...billingOperations,
  ...oversightOperations,
  ...portalOperations,
  ...publicOperations,
};

export type OperationId = keyof typeof operations;
