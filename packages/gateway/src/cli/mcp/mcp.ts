import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { INLINE_MEDIA_MAX_BYTES } from '@parley/contract';
import { type Parley, ParleyError } from 'parley-sdk';
import manifest from '../../../package.json' with { type: 'json' };
import { account } from '../client/connect.ts';
import { chosenSession } from '../client/session.ts';
import { CommandError, type Run } from '../command.ts';
import type { MCP } from '../specs.ts';
import { type ApiTool, type Fields, toolsFor } from './tools.ts';

/** Serves the API of one number to an AI assistant, over standard input and output, until that ends. */
export const mcp: Run<typeof MCP> = async ({ options, connection, terminal }) => {
  const parley = account(connection);
  const sessionId = await chosenSession(parley, options.from);
  const all = toolsFor(sessionId);
  const tools = options['read-only'] ? all.filter(({ annotations }) => annotations.readOnlyHint) : all;
  const handle = serveStdio(() => serverOf(tools, parley, sessionId), {
    onerror: ({ message }) => terminal.note(message),
  });
  terminal.note(`Serving ${tools.length} tools for ${sessionId}`);
  terminal.signal.addEventListener('abort', () => {
    handle.close().catch((error: unknown) => terminal.note(`Could not close in order: ${String(error)}`));
  });
};

function serverOf(tools: readonly ApiTool[], parley: Parley, sessionId: string): Server {
  const instructions = `Tools of a WhatsApp number (${sessionId}) behind the Parley gateway. Sends are queued and paced; a refusal says in one sentence what is wrong.`;
  const server = new Server(
    { name: 'parley', version: manifest.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      inputSchema,
      annotations,
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    return tool ? use(tool, params.arguments ?? {}, parley) : failure(`there is no tool ${params.name}`);
  });
  return server;
}

/** What the gateway refuses is the assistant's to read, and to do better. */
async function use(tool: ApiTool, input: Fields, parley: Parley): Promise<CallToolResult> {
  try {
    const request = tool.request(input);
    if (request.raw) {
      const file = await parley.request<Response>(request);
      return { content: [await fileContent(file, `parley:${request.path}`)] };
    }
    const answer = (await parley.request<Record<string, unknown> | undefined>(request)) ?? {
      done: true,
    };
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (error instanceof ParleyError || error instanceof CommandError) return failure(error.message);
    throw error;
  }
}

function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

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
