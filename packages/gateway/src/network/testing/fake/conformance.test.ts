import { setImmediate } from 'node:timers/promises';
import { createWorld } from '@parley/sandbox/world';
import { createSeededRandom, createSteppedClock } from '#kernel';
import { describeNetworkDriver } from '../conformance/index.ts';
import { createFakeDriver } from './driver.ts';

describeNetworkDriver('fake', async () => {
  const clock = createSteppedClock();
  const random = createSeededRandom(1);
  const world = createWorld({ file: ':memory:', clock, random });
  let driver = createFakeDriver({ world, clock, random });
  return {
    world,
    get driver() {
      return driver;
    },
    get pairing() {
      return driver.pairing;
    },
    async restart() {
      driver.crash();
      driver = createFakeDriver({ world, clock, random });
      return driver;
    },
    async advance(ms) {
      clock.advance(ms);
      await setImmediate();
    },
    async dispose() {
      await driver.close();
      world.close();
    },
  };
});
