import type { proto } from 'baileys';
import type { InboundContent } from '../../content.ts';
import { boundedText } from './bounds.ts';

/** The answer to buttons, in each of the forms that phones have used for it. */
export function buttonResponse(message: proto.IMessage): InboundContent | undefined {
  const {
    interactiveResponseMessage,
    buttonsResponseMessage,
    listResponseMessage,
    templateButtonReplyMessage,
  } = message;
  if (interactiveResponseMessage) return nativeFlowResponse(interactiveResponseMessage);
  if (buttonsResponseMessage) {
    return response(buttonsResponseMessage.selectedButtonId, buttonsResponseMessage.selectedDisplayText);
  }
  if (listResponseMessage) {
    return response(listResponseMessage.singleSelectReply?.selectedRowId, listResponseMessage.title);
  }
  if (templateButtonReplyMessage) {
    return response(templateButtonReplyMessage.selectedId, templateButtonReplyMessage.selectedDisplayText);
  }
  return undefined;
}

function nativeFlowResponse({
  body,
  nativeFlowResponseMessage,
}: proto.Message.IInteractiveResponseMessage): InboundContent {
  const paramsJson = nativeFlowResponseMessage?.paramsJson ?? undefined;
  const params = paramsJson ? parsed(paramsJson) : {};
  const answer = response(stringIn(params, 'id'), body?.text ?? stringIn(params, 'title'));
  return paramsJson === undefined ? answer : { ...answer, paramsJson: boundedText(paramsJson) };
}

function response(id: string | null | undefined, text: string | null | undefined) {
  return {
    kind: 'button_response',
    selectedId: boundedText(id ?? ''),
    selectedText: boundedText(text ?? ''),
  } as const;
}

/** The phone wrote this: anything may stand there. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

function stringIn(value: unknown, name: string): string | undefined {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : undefined;
}
