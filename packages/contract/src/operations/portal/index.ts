import { portalAccountOperations } from './account.ts';
import { portalAccountLifeOperations } from './account-life.ts';
import { portalActivityOperations } from './activity.ts';
import { portalBillingOperations } from './billing.ts';
import { portalChatOperations } from './chats.ts';
import { portalEntranceOperations } from './entrance.ts';
import { portalKeyOperations } from './keys.ts';
import { portalMessageOperations } from './messages.ts';
import { portalNumberOperations } from './numbers.ts';
import { portalOwnerLinkOperations } from './owner-link.ts';
import { portalSandboxOperations } from './sandbox.ts';
import { portalTeamOperations } from './team.ts';
import { portalWebhookOperations } from './webhooks.ts';

/**
 * The JSON behind the portal's own pages. A cookie authenticates the member; every request but GET needs the header
 * `X-Parley-Portal`, which pages of other origins cannot add. The operator's pages use the operator API, with their own cookie in
 * place of the token.
 */
export const portalOperations = {
  ...portalEntranceOperations,
  ...portalAccountOperations,
  ...portalAccountLifeOperations,
  ...portalTeamOperations,
  ...portalNumberOperations,
  ...portalBillingOperations,
  ...portalChatOperations,
  ...portalOwnerLinkOperations,
  ...portalKeyOperations,
  ...portalWebhookOperations,
  ...portalActivityOperations,
  ...portalMessageOperations,
  ...portalSandboxOperations,
};
