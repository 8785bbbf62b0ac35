import { Agent, get } from 'node:https';
import type { MediaAnswer, MediaTransport } from '../media/transport.ts';

/** For tests only: believes the one authority that it is given. */
export function createHttpsTransport(caPem: string): MediaTransport {
  const agent = new Agent({ ca: caPem });
  return {
    uploadAgent: agent,
    get: (url, { signal }) =>
      new Promise<MediaAnswer>((resolve, reject) => {
        const request = get(url, { agent, signal }, (response) => {
          const length = Number(response.headers['content-length']);
          resolve({
            status: response.statusCode ?? 0,
            ...(Number.isFinite(length) ? { length } : {}),
            body: response,
          });
        });
        request.on('error', reject);
      }),
  };
}
