export { createFakeDriver, type FakeDriver, type FakeDriverOptions } from './driver.ts';
