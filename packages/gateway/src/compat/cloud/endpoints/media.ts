import { bodyLimit, operations } from '@parley/contract';
import type { ForeignEndpoint, ForeignVisit } from '#http';
import type { CloudContext } from '../context.ts';
import { endpoint, onNumber } from '../endpoint.ts';

const SUCCESS = { success: true };

export function mediaEndpoints(context: CloudContext): ForeignEndpoint[] {
  return [
    onNumber(
      context,
      ['POST', '/:id/media'],
      'uploadMedia',
      async (call) => {
        const headers = Object.fromEntries(
          ['content-type', 'content-length'].map((name) => [name, call.header(name)]),
        );
        const { media_id } = await call.invoke(operations.uploadMedia, { body: call.body, headers });
        return { id: media_id };
      },
      { takesFile: true, permission: 'messages', bodyMaxBytes: bodyLimit(operations.uploadMedia) },
    ),
    endpoint(
      ['DELETE', '/:id'],
      'deleteMedia',
      async ({ caller, params: { id = '' } }) => {
        await context.media.forget(caller, id);
        return SUCCESS;
      },
      { permission: 'messages' },
    ),
  ];
}

/** What is known of a file; its bytes are behind `url`, for the same key. It is fetched for that, should it still be on the network. */
export async function describeMedia(
  context: CloudContext,
  { caller, origin, params }: Pick<ForeignVisit, 'caller' | 'origin' | 'params'>,
): Promise<object> {
  const { id = '' } = params;
  const { mimetype, sha256, size } = await context.media.obtain(caller, id);
  return {
    messaging_product: 'whatsapp',
    url: new URL(`/v1/media/${encodeURIComponent(id)}`, context.publicUrl() ?? origin).href,
    mime_type: mimetype,
    sha256,
    file_size: size,
    id,
  };
}
