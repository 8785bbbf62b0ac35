export {
  createPostgresDatabase,
  createSqliteDatabase,
  requirePostgres,
  type TestDatabase,
} from './databases.ts';
export { type FillContext, fillTables } from './fill.ts';
export { openPlanner, type SeenStatement, statementsOfCommand, watchStatements } from './plans.ts';
