import type { Harness } from '../../testing/conformance/harness.ts';
import { startWireHarness } from './fixture.ts';

/** By which of people's two addresses the network names them: the hidden one, the number, or both by turns. */
type Addressing = 'lid' | 'pn' | 'mixed';

/** For the conformance suite: the driver over the wire, in a world whose people are all addressed like this. */
export async function startWorld(addressing: Addressing = 'lid'): Promise<Harness> {
  const harness = await startWireHarness();
  return {
    people: { autoRead: false, ...{ addressing } },
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
}
