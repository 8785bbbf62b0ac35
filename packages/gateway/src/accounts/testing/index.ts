export { codeAt } from '../members/second-factor/totp.ts';
export { auditLog, countSends, createHarness, newNumber, type TestHarness, travelTo } from './harness.ts';
export { quickHash } from './quick-hash.ts';
