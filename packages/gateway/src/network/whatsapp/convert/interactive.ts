import type { BinaryNode, proto } from 'baileys';
import type { InteractiveButton, OutboundContent } from '../../content.ts';

type Interactive = Extract<OutboundContent, { kind: 'interactive' }>;

export function toInteractiveMessage({ body, footer, buttons }: Interactive): proto.IMessage {
  return {
    interactiveMessage: {
      body: { text: body },
      ...(footer ? { footer: { text: footer } } : {}),
      nativeFlowMessage: {
        messageVersion: 1,
        buttons: buttons.map((button) => ({
          name: button.type,
          buttonParamsJson: JSON.stringify(paramsOf(button)),
        })),
      },
    },
  };
}

/** Without this node phones receive the message and show nothing. */
export function interactiveNode(nowSeconds: number): BinaryNode {
  return {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(nowSeconds) },
    content: [
      {
        tag: 'interactive',
        attrs: { type: 'native_flow', v: '1' },
        content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
      },
      { tag: 'quality_control', attrs: { source_type: 'third_party' } },
    ],
  };
}

function paramsOf(button: InteractiveButton): object {
  switch (button.type) {
    case 'quick_reply':
      return { display_text: button.text, id: button.id };
    case 'cta_url':
      return { display_text: button.text, url: button.url, merchant_url: button.url };
    case 'cta_copy':
      return { display_text: button.text, copy_code: button.copyCode };
    case 'cta_call':
      return { display_text: button.text, phone_number: button.phoneNumber };
    case 'single_select':
      return { title: button.text, sections: button.sections };
  }
}
