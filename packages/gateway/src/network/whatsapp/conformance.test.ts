import { describeNetworkDriver } from '../testing/conformance/index.ts';
import { startWireHarness } from './testing/fixture.ts';

describeNetworkDriver('whatsapp', async () => {
  const harness = await startWireHarness();
  return {
    world: harness.world,
    pairing: harness.wire.pairing,
    get driver() {
      return harness.driver;
    },
    restart: harness.crash,
    advance: harness.advance,
    ticks: true,
    dispose: harness.dispose,
  };
});
