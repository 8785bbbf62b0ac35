import { compileParse } from '@parley/contract';
import type { Sandbox } from '@parley/sandbox';
import Type from 'typebox';
import { PREFIX, type SandboxClient } from './client.ts';

/** What a client must know to talk to a virtual network and to believe it. */
export type Endpoint = Pick<Sandbox, 'url' | 'rootPublicKey' | 'mediaCaPem' | 'mediaHost'>;

/** Where whoever runs a virtual network tells it. */
export const ENDPOINT_PATH = `${PREFIX}/endpoint`;

const View = Type.Object({
  url: Type.String(),
  root_public_key: Type.String(),
  media_ca: Type.String(),
  media_host: Type.String(),
});
const parseView = compileParse(View);

export function endpointView(endpoint: Endpoint): Type.Static<typeof View> {
  const { url, rootPublicKey, mediaCaPem, mediaHost } = endpoint;
  const rootKey = Buffer.from(rootPublicKey).toString('base64');
  return { url, root_public_key: rootKey, media_ca: mediaCaPem, media_host: mediaHost };
}

const PATIENCE_MS = 10_000;

/** Finds the virtual network that another process runs. */
export async function findEndpoint(client: SandboxClient): Promise<Endpoint> {
  const { body } = await client.ask({ method: 'GET', path: ENDPOINT_PATH, timeoutMs: PATIENCE_MS });
  const view = parseView(JSON.parse(body.toString()));
  if (!view.ok) throw new TypeError(view.text);
  const { url, root_public_key: rootKey, media_ca: mediaCaPem, media_host: mediaHost } = view.value;
  return { url, rootPublicKey: Buffer.from(rootKey, 'base64'), mediaCaPem, mediaHost };
}
