import type { CallToolResult } from '@modelcontextprotocol/server';
import { INLINE_MEDIA_MAX_BYTES } from '@parley/contract';
import { CommandError } from '../command.ts';

type Content = CallToolResult['content'][number];

/** A file as an assistant can look at it; one that is too large for that is left where it is. */
export async function fileContent(answer: Response, uri: string): Promise<Content> {
  const mimeType = answer.headers.get('content-type') ?? 'application/octet-stream';
  const size = Number(answer.headers.get('content-length') ?? Number.NaN);
  if (!(size <= INLINE_MEDIA_MAX_BYTES)) {
    await answer.body?.cancel();
    throw new CommandError(`the file is too large to be shown here: ${size} bytes of ${mimeType}`);
  }
  const bytes = Buffer.from(await answer.arrayBuffer());
  const [family] = mimeType.split('/');
  if (family === 'image' || family === 'audio')
    return { type: family, data: bytes.toString('base64'), mimeType };
  if (family === 'text') return { type: 'resource', resource: { uri, mimeType, text: bytes.toString() } };
  return { type: 'resource', resource: { uri, mimeType, blob: bytes.toString('base64') } };
}
