import type { PhoneSettings } from '@parley/sandbox/world';
import type { Harness } from '../../testing/conformance/harness.ts';
import { startWireHarness } from './fixture.ts';

/**
 * For the conformance suite: the driver over the wire, in a world in which all people are addressed in this way. `onServers` gets the
 * `host:port` of its servers.
 */
export async function startWorld(
  addressing: PhoneSettings['addressing'] = 'lid',
  onServers: (...hosts: string[]) => void = () => {},
): Promise<Harness> {
  const harness = await startWireHarness();
  onServers(new URL(harness.wire.url).host, ...harness.wire.mediaHosts);
  return {
    people: { addressing },
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
