import { createSteppedClock } from '#kernel';
import { createLocalBus } from './local.ts';
import { describeBus } from './testing/conformance.ts';

describeBus('the local bus', async () => {
  const clock = createSteppedClock();
  const bus = createLocalBus({ clock });
  return {
    here: bus,
    there: bus,
    settled: async () => {},
    advance: async (ms) => clock.advance(ms),
    dispose: () => bus.close(),
  };
});
