export { quickHash } from './quick-hash.ts';
