import type { Migration } from '../types.ts';
import { createAccountsTables } from './initial/accounts.ts';
import { createCompatTables } from './initial/compat.ts';
import { createEventsTables } from './initial/events.ts';
import { createHealthTables } from './initial/health.ts';
import { createHistoryTables } from './initial/history.ts';
import { createMediaTables } from './initial/media.ts';
import { createMessagesTables } from './initial/messages.ts';
import { createNetworkTables } from './initial/network.ts';
import { createNumbersTables } from './initial/numbers.ts';
import { createSessionsTables } from './initial/sessions.ts';
import { setStorageParameters } from './initial/storage.ts';
import { createUpkeepTables } from './initial/upkeep.ts';
import { createWebhooksTables } from './initial/webhooks.ts';

/** The schema of the first release. Tables come after those that they reference. */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  async up(trx, dialect) {
    await createAccountsTables(trx, dialect);
    await createNumbersTables(trx, dialect);
    await createSessionsTables(trx, dialect);
    await createNetworkTables(trx, dialect);
    await createMessagesTables(trx, dialect);
    await createEventsTables(trx, dialect);
    await createWebhooksTables(trx, dialect);
    await createHistoryTables(trx, dialect);
    await createMediaTables(trx, dialect);
    await createHealthTables(trx, dialect);
    await createCompatTables(trx, dialect);
    await createUpkeepTables(trx, dialect);
    if (dialect === 'postgres') await setStorageParameters(trx);
  },
};
