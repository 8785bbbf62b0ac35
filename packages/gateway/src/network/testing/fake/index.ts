export { createFakeDriver, type FakeDriver } from './driver.ts';
