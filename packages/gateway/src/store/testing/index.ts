export { createPostgresDatabase, createSqliteDatabase, type TestDatabase } from './databases.ts';
