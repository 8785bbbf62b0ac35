export { codeAt } from '../members/second-factor.ts';
export { hashing } from '../passwords.ts';
export {
  auditLog,
  countSends,
  createHarness,
  newNumber,
  newPhone,
  type TestHarness,
  travelTo,
} from './harness.ts';
export { quickHash } from './quick-hash.ts';
