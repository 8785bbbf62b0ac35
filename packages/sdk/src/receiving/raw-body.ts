/** Larger than any event, which can contain 4 MB of media in base64. */
export const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/** Raw body of a connection; null when it is too large. */
export async function readBody(stream: AsyncIterable<unknown>): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('the request was given an encoding');
    length += chunk.length;
    if (length > BODY_LIMIT_BYTES) return null;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
