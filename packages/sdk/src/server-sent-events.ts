/** One message of a stream of server-sent events; fields that it does not carry are undefined. */
export interface ServerSentEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly data?: string | undefined;
  /** Milliseconds to wait before reconnecting. */
  readonly retry?: number | undefined;
}

/** Reads a `text/event-stream` by the words of its standard. Comments come out as empty messages: they are a sign of life. */
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

/** Lines end with CR, LF or both; the last one without an end is only half a line and is left out. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be the first half of a CRLF.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    yield* lines;
  }
}
