import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { compileParse } from '@parley/contract';
import type { Sandbox } from '@parley/sandbox';
import Type from 'typebox';
import { type Config, ConfigError, SETTINGS } from '#config';
import { createEgress } from '#egress';
import type { Clock, Random } from '#kernel';

/** What a client must know to talk to a virtual network and to believe it. */
export type Endpoint = Pick<Sandbox, 'url' | 'rootPublicKey' | 'mediaCaPem'>;

/** Where whoever runs a virtual network tells it. */
export const ENDPOINT_PATH = '/sandbox/v1/endpoint';

const View = Type.Object({ url: Type.String(), root_public_key: Type.String(), media_ca: Type.String() });
const parseView = compileParse(View);

export function endpointView({ url, rootPublicKey, mediaCaPem }: Endpoint): Type.Static<typeof View> {
  return { url, root_public_key: Buffer.from(rootPublicKey).toString('base64'), media_ca: mediaCaPem };
}

const ANSWER_MAX_BYTES = 64 * 1024;
const PATIENCE_MS = 10_000;

/** Finds the virtual network that another process runs. */
export async function findVirtualNetwork({
  config: { sandboxUrl, dataDir },
  clock,
  random,
}: {
  config: Pick<Config, 'sandboxUrl' | 'dataDir'>;
  clock: Clock;
  random: Random;
}): Promise<Endpoint> {
  // The address comes from the operator, so it may be a private one.
  const egress = createEgress({ clock, publicOnly: false });
  const toFile = path.join(dataDir, `sandbox-endpoint-${Buffer.from(random.bytes(8)).toString('hex')}`);
  try {
    await egress.download(`${sandboxUrl}${ENDPOINT_PATH}`, {
      toFile,
      maxBytes: ANSWER_MAX_BYTES,
      timeoutMs: PATIENCE_MS,
    });
    const view = parseView(JSON.parse(await readFile(toFile, 'utf8')));
    if (!view.ok) throw new TypeError(view.text);
    const { url, root_public_key: rootKey, media_ca: mediaCaPem } = view.value;
    return { url, rootPublicKey: Buffer.from(rootKey, 'base64'), mediaCaPem };
  } catch {
    throw new ConfigError(
      `no sandbox answers at ${sandboxUrl}; start one (parley sandbox) or correct ${SETTINGS.sandboxUrl.name}`,
    );
  } finally {
    await egress.close();
    await rm(toFile, { force: true });
  }
}
