import { text as readAll } from 'node:stream/consumers';
import type { MessageAccepted, SendBody } from 'parley-sdk';
import { CommandError, type Input, type Run } from '../command.ts';
import { jsonObject } from '../parse.ts';
import type { SEND } from '../specs.ts';
import { account } from './connect.ts';
import { chosenSession } from './session.ts';

export const send: Run<typeof SEND> = async ({ args, options, connection, terminal }) => {
  const parley = account(connection);
  const session_id = await chosenSession(parley, options.from);
  const to = args.to.replace(/^\+(?=\d+$)/, '');
  // Judged by the gateway, whose sentence names the field that is wrong.
  const body = { session_id, to, ...(await contentOf(args.text, options)) } as SendBody;
  const accepted: MessageAccepted = await parley.messages.send(body, { idempotencyKey: options.id });
  const { message_id } = accepted;
  if (!options.wait || message_id === undefined) {
    return terminal.show(accepted, () =>
      message_id === undefined ? 'Accepted' : `Accepted as ${message_id}`,
    );
  }
  terminal.note(`Accepted as ${message_id}, waiting until it is delivered …`);
  const record = await parley.messages.waitForStatus(message_id, { signal: terminal.signal });
  terminal.show(record, () => `${message_id} is ${record.status}`);
};

const MEDIA = ['image', 'video', 'audio', 'document'] as const;

async function contentOf(words: string | undefined, options: Input<typeof SEND>['options']): Promise<object> {
  const text = words === '-' ? (await readAll(process.stdin)).trimEnd() : words;
  const fields = options.data === undefined ? {} : parsedFields(options.data);
  const media_type = MEDIA.find((type) => options[type] !== undefined);
  if (media_type !== undefined) {
    return {
      ...fields,
      media_type,
      media_url: options[media_type],
      ...(text === undefined ? {} : { caption: text }),
    };
  }
  if (text === undefined && options.data === undefined) {
    throw new CommandError('there is nothing to send: pass the text, a file or --data');
  }
  return { ...fields, ...(text === undefined ? {} : { text }) };
}

function parsedFields(json: string): object {
  return jsonObject(
    json,
    `--data must be a JSON object like {"type": "location", "latitude": 53.5, "longitude": 10}`,
  );
}
