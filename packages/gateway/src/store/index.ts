export { isStoreError, StoreError, type StoreErrorCode } from './errors.ts';
export { migrations } from './migrations/index.ts';
export type { Tables } from './schema.ts';
export type {
  AnyCommand,
  Command,
  CommandModule,
  Dialect,
  Migration,
  PgAnswer,
  PgSession,
  PgStatement,
  SqliteSession,
  SqliteStatement,
  SqlValue,
  Store,
  StoreLog,
  StoreOptions,
} from './types.ts';
