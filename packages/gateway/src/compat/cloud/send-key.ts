import { createHash } from 'node:crypto';

/**
 * The key under which a send is taken. What the client wants to find again in its statuses stands in it, so that nothing has to be kept
 * for that; with it the same message that is sent again is the same send.
 */
const MARK = 'cloud';

export function sendKey(
  { body, callbackData }: { readonly body: object; readonly callbackData: string | undefined },
  unique: () => string,
): string {
  if (callbackData === undefined) return `${MARK}.${unique()}`;
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return `${MARK}:${hash}:${callbackData}`;
}

export function callbackDataIn(requestId: string): string | undefined {
  return /^cloud:[\w-]{22}:(.+)$/su.exec(requestId)?.[1];
}
