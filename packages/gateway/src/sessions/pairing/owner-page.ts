import type { PasskeyOptions } from '@parley/contract';

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);

/**
 * The address of the page for the number's owner. Browsers sign for names, not for addresses: where the network is a sandbox whose name is
 * `localhost`, the page is called by that name too.
 */
export function ownerPage(origin: string, token: string, { rpId }: Pick<PasskeyOptions, 'rpId'>): string {
  const url = new URL(`/link/${token}`, origin);
  if (rpId === 'localhost' && LOOPBACK.has(url.hostname)) url.hostname = rpId;
  return url.href;
}
