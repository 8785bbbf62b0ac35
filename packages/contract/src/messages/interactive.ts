import Type from 'typebox';
import {
  BUTTONS_MAX,
  BUTTONS_MIN,
  INTERACTIVE_BODY_MAX_LENGTH,
  INTERACTIVE_FOOTER_MAX_LENGTH,
} from '../limits.ts';
import { lines, severalLines } from '../schema.ts';
import type { Parsed } from '../validate/complaint.ts';
import type { Fields } from '../validate/variants.ts';
import { Button, parseButton } from './buttons.ts';
import { addressed, sendKind } from './kind.ts';

/** Each variant of a button has its own parser; the schema limits their number. */
function parseButtons(fields: Fields): Parsed<Fields> {
  const { interactive_buttons: items } = fields;
  if (!Array.isArray(items) || items.length > BUTTONS_MAX) return { ok: true, value: fields };
  const buttons: Button[] = [];
  for (const [index, item] of items.entries()) {
    const button = parseButton(item, `interactive_buttons[${index}]`);
    if (!button.ok) return button;
    buttons.push(button.value);
  }
  return { ok: true, value: { ...fields, interactive_buttons: buttons } };
}

export const interactive = sendKind({
  kind: 'interactive',
  plan: 'pro',
  label: 'buttons and lists',
  guide: [
    '1 to 3 buttons: `quick_reply` (its `id` comes back in a `message` event of the type `button_response`), `cta_url`, `cta_copy`, `cta_call`, `single_select`.',
    '',
    '> Interactive messages use a form that the network has never documented. They are best effort: some phones show them, some show the text alone.',
  ].join('\n'),
  title: 'SendInteractive',
  summary: 'Interactive buttons (experimental)',
  description:
    'Uses an unofficial format of the network: best effort, rendering differs by platform, outside any guarantee.',
  properties: {
    ...addressed,
    type: Type.Literal('interactive'),
    interactive_body: lines(INTERACTIVE_BODY_MAX_LENGTH),
    interactive_footer: Type.Optional(
      Type.String({ maxLength: INTERACTIVE_FOOTER_MAX_LENGTH, ...severalLines }),
    ),
    interactive_buttons: Type.Array(Button, { minItems: BUTTONS_MIN, maxItems: BUTTONS_MAX }),
  },
  prepare: parseButtons,
  example: {
    session_id: '15550001001:1@s.whatsapp.net',
    to: '15550002001',
    type: 'interactive',
    interactive_body: 'Shall we deliver today?',
    interactive_footer: 'Harbour Books',
    interactive_buttons: [
      { type: 'quick_reply', display_text: 'Yes, please', id: 'deliver-today' },
      { type: 'cta_url', display_text: 'Track', url: 'https://app.example.com/orders/1042' },
    ],
  },
});
