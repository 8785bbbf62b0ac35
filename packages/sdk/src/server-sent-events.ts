/** Message of a stream of server-sent events; absent fields are undefined. */
export interface ServerSentEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data?: string | undefined;
  /** Milliseconds to wait before reconnecting. */
  readonly retry?: number | undefined;
}

/** Parses a `text/event-stream` as the standard defines it. Yields comments as empty messages, because they are heartbeats. */
export async function* readServerSentEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, void> {
  let fields = new Map<string, string>();
  for await (const line of linesOf(chunks)) {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      const before = name === 'data' ? fields.get('data') : undefined;
      fields.set(name, before === undefined ? value : `${before}\n${value}`);
      continue;
    }
    const retry = fields.get('retry') ?? '';
    yield {
      id: fields.get('id'),
      event: fields.get('event'),
      data: fields.get('data'),
      retry: /^\d+$/.test(retry) ? Number(retry) : undefined,
    };
    fields = new Map();
  }
}

/** Splits at CR, LF or both; drops an incomplete last line. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    // A CR at the end may be the first half of a CRLF.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    yield* lines;
  }
}
