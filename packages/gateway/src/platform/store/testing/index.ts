export {
  createPostgresDatabase,
  createSqliteDatabase,
  providePostgresTemplate,
  requirePostgres,
  type TestDatabase,
} from './databases.ts';
export { fillTables } from './fill.ts';
export { openPlanner, type SeenStatement, statementsInThread, watchStatements } from './plans.ts';
export { borrowStore, type StoreView } from './pool.ts';
