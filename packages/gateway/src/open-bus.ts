import { type Bus, createLocalBus } from '#bus';
import type { Config } from '#config';
import type { Clock, Random } from '#kernel';
import type { Log } from '#ops';

type BusConfig = Pick<
  Config,
  'busUrls' | 'busSubject' | 'busCredentialsFile' | 'busCaFile' | 'busCertFile' | 'busKeyFile'
>;

export async function openBus(
  config: BusConfig,
  parts: { clock: Clock; random: Random; log: Log },
): Promise<Bus> {
  if (config.busUrls.length === 0) return createLocalBus(parts);
  // Whoever runs one process does not wait for a client that it does not use.
  const { connectNatsBus } = await import('#bus/nats');
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
