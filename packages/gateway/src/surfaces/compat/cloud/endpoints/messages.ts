import { operations, userJid } from '@parley/contract';
import type { CompatEndpoint, Invoke } from '#platform/http';
import { MessageBody } from '../bodies.ts';
import type { CloudContext, CloudNumber } from '../context.ts';
import { MESSAGE_BODY_BYTES, onNumber } from '../endpoint.ts';
import { type Fields, isObject, objectIn, requiredText, userIdOf, waIdOf } from '../fields.ts';
import { GraphError, invalid } from '../graph-error.ts';
import { formatWamid, sendKey } from '../ids.ts';
import { mapSend, referredTo } from '../sends/message.ts';
import { renderTemplate } from '../templates/render.ts';
import type { Template } from '../templates/templates.ts';

/** Sends and read receipts share one path. */
export function messagesEndpoint(context: CloudContext): CompatEndpoint {
  return onNumber(
    context,
    ['POST', '/:id/messages'],
    'sendMessage',
    ({ body, invoke, subject: number }) =>
      body.status === undefined ? send(context, number, invoke, body) : markRead(number, invoke, body),
    { permission: 'messages', input: { body: MessageBody }, bodyMaxBytes: MESSAGE_BODY_BYTES },
  );
}

async function send(
  context: CloudContext,
  { number }: CloudNumber,
  invoke: Invoke,
  body: Fields,
): Promise<object> {
  const template = body.type === 'template' ? await templateIn(context, number.accountId, body) : undefined;
  const mapped = mapSend(body, {
    phone: number.phone,
    template: (sent) => {
      if (!template) throw new GraphError(132001, 'Template name does not exist in the translation');
      return renderTemplate(template, sent);
    },
  });
  const unique = (): string => Buffer.from(context.random.bytes(16)).toString('base64url');
  const { message_id = '' } = await invoke(operations.sendMessage, {
    body: mapped.body,
    headers: { 'Idempotency-Key': sendKey(mapped, unique) },
  });
  const [waId, userId] = [waIdOf(mapped.jid), userIdOf(mapped.jid)];
  return {
    messaging_product: 'whatsapp',
    contacts: [
      {
        input: mapped.input,
        ...(waId !== undefined && { wa_id: waId }),
        ...(userId !== undefined && { user_id: userId }),
      },
    ],
    messages: [{ id: formatWamid({ fromMe: true, id: message_id }), message_status: 'accepted' }],
  };
}

async function templateIn(
  { templates }: CloudContext,
  accountId: string,
  body: Fields,
): Promise<Template | undefined> {
  const template = objectIn(body, 'template');
  const name = requiredText(template, 'name', "template['name']");
  const language = objectIn(template, 'language', "template['language']");
  return templates.find(accountId, name, requiredText(language, 'code', "template['language']['code']"));
}

async function markRead({ number }: CloudNumber, invoke: Invoke, body: Fields): Promise<object> {
  if (body.status !== 'read') throw invalid("Param status must be one of {'read'}.");
  const ref = referredTo(requiredText(body, 'message_id'), 'message_id');
  if (ref.fromMe) throw new GraphError(131009, 'message_id is one of the number itself: it cannot be read.');
  const id = userJid(number.phone);
  await invoke(operations.tellMessageRead, {
    params: { id, jid: ref.chat, message_id: ref.id },
    body: ref.participant === undefined ? {} : { participant: ref.participant },
  });
  if (isObject(body.typing_indicator))
    await invoke(operations.setTyping, { params: { id }, body: { to: ref.chat } });
  return { success: true };
}
