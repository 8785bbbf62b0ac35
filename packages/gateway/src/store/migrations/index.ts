import type { Migration } from '../types.ts';
import { accounts } from './0001-accounts.ts';
import { network } from './0002-network.ts';
import { webhooks } from './0003-webhooks.ts';
import { events } from './0004-events.ts';
import { sessions } from './0005-sessions.ts';
import { messages } from './0006-messages.ts';
import { portal } from './0007-portal.ts';
import { upkeep } from './0008-upkeep.ts';
import { webhooksOrder } from './0009-webhooks-order.ts';
import { limits } from './0010-limits.ts';
import { safekeeping } from './0011-safekeeping.ts';
import { link } from './0012-link.ts';
import { passkey } from './0013-passkey.ts';
import { extensions } from './0014-extensions.ts';
import { health } from './0015-health.ts';
import { history } from './0016-history.ts';
import { media } from './0017-media.ts';
import { mediaArrivals } from './0018-media-arrivals.ts';
import { past } from './0019-past.ts';
import { authors } from './0020-authors.ts';
import { compat } from './0021-compat.ts';
import { compatTemplates } from './0022-compat-templates.ts';
import { mail } from './0023-mail.ts';
import { members } from './0024-members.ts';
import { invitations } from './0025-invitations.ts';
import { keyIds } from './0026-key-ids.ts';
import { termsNotice } from './0027-terms-notice.ts';
import { receivers } from './0028-receivers.ts';
import { tracing } from './0029-tracing.ts';
import { billing } from './0030-billing.ts';
import { numbersOfOwners } from './0031-numbers-of-owners.ts';
import { requestLog } from './0032-request-log.ts';
import { received } from './0033-received.ts';
import { removedNumbers } from './0034-removed-numbers.ts';
import { accountLife } from './0035-account-life.ts';
import { visits } from './0036-visits.ts';
import { throughput } from './0037-throughput.ts';
import { sentDays } from './0038-sent-days.ts';
import { dividedMessages } from './0039-divided-messages.ts';
import { derivedKeys } from './0040-derived-keys.ts';
import { replays } from './0041-replays.ts';
import { exportPieces } from './0042-export-pieces.ts';
import { mediaReservations } from './0043-media-reservations.ts';

/** In order of their versions: add the next one at the end, and never change one that has been released. */
export const migrations: readonly Migration[] = [
  accounts,
  network,
  webhooks,
  events,
  sessions,
  messages,
  portal,
  upkeep,
  webhooksOrder,
  limits,
  safekeeping,
  link,
  passkey,
  extensions,
  health,
  history,
  media,
  mediaArrivals,
  past,
  authors,
  compat,
  compatTemplates,
  mail,
  members,
  invitations,
  keyIds,
  termsNotice,
  receivers,
  tracing,
  billing,
  numbersOfOwners,
  requestLog,
  received,
  removedNumbers,
  accountLife,
  visits,
  throughput,
  sentDays,
  dividedMessages,
  derivedKeys,
  replays,
  exportPieces,
  mediaReservations,
];
