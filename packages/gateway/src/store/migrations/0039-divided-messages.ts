import { sql } from 'kysely';
import type { Migration } from '../types.ts';

/**
 * What is known of messages becomes a table of parts, and what was the table is its only part for now, the one for all that no other part
 * takes. No row is read or moved for that, and whoever asked `messages` before goes on. Ids begin with the time, so a part has a span of
 * ids, and the key needs no further column. SQLite has no parts.
 */
export const dividedMessages: Migration = {
  version: 39,
  name: 'divided-messages',
  async up(trx, dialect) {
    if (dialect === 'sqlite') return;
    for (const statement of [
      sql`alter table "messages" rename to "messages_rest"`,
      sql`alter index "messages_pkey" rename to "messages_rest_pkey"`,
      sql`alter index "messages_of_number" rename to "messages_rest_of_number"`,
      sql`create table "messages" (like "messages_rest" including defaults) partition by range ("id")`,
      sql`alter table "messages" add primary key ("id")`,
      sql`create index "messages_of_number" on "messages" ("slot_id", "id")`,
      sql`alter table "messages" attach partition "messages_rest" default`,
    ])
      await statement.execute(trx);
  },
};
