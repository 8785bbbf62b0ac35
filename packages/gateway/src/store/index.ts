export { compiledOnce } from './compiled.ts';
export { containsText } from './contains.ts';
export { type SnapshotFacts, takeSnapshot } from './copies/snapshot.ts';
export { type Visit, visitDatabase } from './copies/visit.ts';
export { erase } from './erase.ts';
export { isPassing, isStoreError, StoreError, type StoreErrorCode } from './errors.ts';
export { createTable, types } from './migrations/columns.ts';
export { migrations } from './migrations/index.ts';
export { openStore, reachStore } from './open.ts';
export { ForeignDatabaseError, readForeignDatabase } from './postgres/foreign.ts';
export { giveUpRelocation, relocate, type TableProgress } from './relocation/relocate.ts';
export type * from './schema/accounts.ts';
export type * from './schema/accounts.ts';
export type * from './schema/billing.ts';
export type * from './schema/compat.ts';
export type * from './schema/events.ts';
export type * from './schema/events.ts';
export type * from './schema/health.ts';
export type * from './schema/history.ts';
export type * from './schema/mail.ts';
export type * from './schema/media.ts';
export type * from './schema/messages.ts';
export { type MarkName, statementsOf } from './schema/migrate.ts';
export type * from './schema/requests.ts';
export type * from './schema/sessions.ts';
export { readSchemaState, type SchemaState } from './schema/state.ts';
export type * from './schema/tables.ts';
export type { SealMarkerRow, Tables } from './schema/tables.ts';
export type * from './schema/throughput.ts';
export { type FileLock, lockBackups, lockDatabase, lockDataDir } from './sqlite/file-locks.ts';
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
  RowMemory,
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
