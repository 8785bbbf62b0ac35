import type { Button, ListSection } from '../../world/index.ts';
import { type Fields, listOf, parseFields, textIn } from '../json-fields.ts';
import { type ContentCodec, readMarks, writeMarks } from './content-codec.ts';

/** Native-flow messages: each button is a name and a JSON text of its own shape. */

const RESPONSE_VERSION = 3;
const LIST_RESPONSE = 'menu_options';
const PLAIN_RESPONSE = 'quick_reply';

const interactive: ContentCodec<'interactive'> = {
  write: (content, context) => ({
    interactiveMessage: {
      body: { text: content.body },
      footer: content.footer === undefined ? undefined : { text: content.footer },
      nativeFlowMessage: {
        messageVersion: 1,
        buttons: content.buttons.map((button) => ({
          name: button.type,
          buttonParamsJson: JSON.stringify(buttonParams(button)),
        })),
      },
      contextInfo: writeMarks(content, context),
    },
  }),
  read({ interactiveMessage: asked }, context) {
    const flow = asked?.nativeFlowMessage;
    if (!flow) return undefined;
    return {
      type: 'interactive',
      body: asked.body?.text ?? '',
      ...(asked.footer?.text && { footer: asked.footer.text }),
      buttons: (flow.buttons ?? []).flatMap(
        ({ name, buttonParamsJson }) => readButton(name, buttonParamsJson) ?? [],
      ),
      ...readMarks(asked.contextInfo, context),
    };
  },
};

const buttonResponse: ContentCodec<'button_response'> = {
  write(content, context) {
    const author = context.authorOf(content.target);
    return {
      interactiveResponseMessage: {
        body: { text: content.text },
        nativeFlowResponseMessage: {
          name: content.paramsJson ? LIST_RESPONSE : PLAIN_RESPONSE,
          paramsJson: content.paramsJson ?? JSON.stringify({ id: content.id }),
          version: RESPONSE_VERSION,
        },
        contextInfo: {
          ...writeMarks(content, context),
          stanzaId: content.target,
          participant: author && context.addressOf(author),
        },
      },
    };
  },
  read({ interactiveResponseMessage: response, buttonsResponseMessage: legacy }, context) {
    const flow = response?.nativeFlowResponseMessage;
    if (flow) {
      return {
        type: 'button_response',
        target: response.contextInfo?.stanzaId ?? '',
        id: textIn(parseFields(flow.paramsJson)?.id),
        text: response.body?.text ?? '',
        paramsJson: flow.paramsJson ?? '',
      };
    }
    if (!legacy) return undefined;
    const { quote } = readMarks(legacy.contextInfo, context);
    return {
      type: 'button_response',
      target: quote?.id ?? '',
      id: legacy.selectedButtonId ?? '',
      text: legacy.selectedDisplayText ?? '',
    };
  },
};

function buttonParams(button: Button): Record<string, unknown> {
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

function readButton(name: string | null | undefined, json: string | null | undefined): Button | undefined {
  const params = parseFields(json) ?? {};
  const label = textIn(params.display_text);
  switch (name) {
    case 'quick_reply':
      return { type: name, text: label, id: textIn(params.id) };
    case 'cta_url':
      return { type: name, text: label, url: textIn(params.url) };
    case 'cta_copy':
      return { type: name, text: label, copyCode: textIn(params.copy_code) };
    case 'cta_call':
      return { type: name, text: label, phoneNumber: textIn(params.phone_number) };
    case 'single_select':
      return { type: name, text: textIn(params.title), sections: listOf(params.sections).map(readSection) };
    default:
      return undefined;
  }
}

function readSection(section: Fields): ListSection {
  return {
    title: textIn(section.title),
    rows: listOf(section.rows).map((row) => ({
      id: textIn(row.id),
      title: textIn(row.title),
      ...(row.description ? { description: textIn(row.description) } : {}),
    })),
  };
}

/** Messages with buttons, and the answers to them. */
export const buttons = { interactive, button_response: buttonResponse };
