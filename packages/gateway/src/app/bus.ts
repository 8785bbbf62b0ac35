import type { Config } from '#config';
import type { Clock, Random } from '#kernel';
import { type Bus, createLocalBus } from '#platform/bus';
import type { Log } from '#platform/observe';

type BusConfig = Pick<
  Config,
  'busUrls' | 'busSubject' | 'busCredentialsFile' | 'busCaFile' | 'busCertFile' | 'busKeyFile'
>;

export async function openBus(
  config: BusConfig,
  parts: { clock: Clock; random: Random; log: Log },
): Promise<Bus> {
  if (config.busUrls.length === 0) return createLocalBus(parts);
  // Loads the client library only where it is used.
  const { connectNatsBus } = await import('#platform/bus/nats');
  return connectNatsBus({
    ...parts,
    subject: config.busSubject,
    settings: {
      servers: config.busUrls,
      credentialsFile: config.busCredentialsFile,
      caFile: config.busCaFile,
      certFile: config.busCertFile,
      keyFile: config.busKeyFile,
    },
  });
}
