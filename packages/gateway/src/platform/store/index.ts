export { databaseHosts } from './address.ts';
export { type SnapshotFacts, takeSnapshot } from './copies/snapshot.ts';
export { type Visit, visitDatabase } from './copies/visit.ts';
export { isPassing, isStoreError, StoreError, type StoreErrorCode } from './errors.ts';
export { createTable, types } from './migrations/columns.ts';
export { migrations } from './migrations/index.ts';
export { openStore, reachStore } from './open.ts';
export { ForeignDatabaseError, readForeignDatabase } from './postgres/foreign.ts';
export { giveUpRelocation, relocate, type TableProgress } from './relocation/relocate.ts';
export type * from './schema/accounts.ts';
export type * from './schema/events.ts';
export type * from './schema/messages.ts';
export { type MarkName, readSchemaState, type SchemaState, statementsOf } from './schema/migrate.ts';
export type * from './schema/sessions.ts';
export type * from './schema/tables.ts';
export type { SealMarkerRow, Tables } from './schema/tables.ts';
export { compiledOnce, containsText, erase } from './sql-helpers.ts';
export { type FileLock, lockBackups, lockDatabase, lockDataDir, makeUsableDirectory } from './sqlite/open.ts';
export type {
  AnyCommand,
  AnyReading,
  Command,
  CommandModule,
  Dialect,
  Migration,
  Packing,
  PgAnswer,
  PgSession,
  PgStatement,
  Reader,
  Reading,
  ReadingModule,
  RowCache,
  SharedStore,
  SqliteReadings,
  SqliteSession,
  SqliteStatement,
  SqlValue,
  Store,
  StoreLog,
  StoreOptions,
  Writer,
} from './types.ts';
export { writeOnce } from './write-health.ts';
