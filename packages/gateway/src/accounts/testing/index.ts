export { codeAt } from '../members/second-factor/totp.ts';
export { quickHash } from './quick-hash.ts';
