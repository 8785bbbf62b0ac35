export {
  createPostgresDatabase,
  createSqliteDatabase,
  requirePostgres,
  type TestDatabase,
} from './databases.ts';
