import type { SendOf } from '@parley/contract';
import type { InteractiveButton } from '#network';
import { kind } from './kind.ts';

export const interactive = kind('interactive', {
  content: (send) => ({
    kind: 'interactive',
    body: send.interactive_body,
    ...(send.interactive_footer ? { footer: send.interactive_footer } : {}),
    buttons: send.interactive_buttons.map(button),
  }),
});

function button(given: SendOf<'interactive'>['interactive_buttons'][number]): InteractiveButton {
  const text = given.display_text;
  switch (given.type) {
    case 'quick_reply':
      return { type: 'quick_reply', text, id: given.id };
    case 'cta_url':
      return { type: 'cta_url', text, url: given.url };
    case 'cta_copy':
      return { type: 'cta_copy', text, copyCode: given.copy_code };
    case 'cta_call':
      return { type: 'cta_call', text, phoneNumber: given.phone_number };
    case 'single_select':
      return { type: 'single_select', text, sections: given.sections };
  }
}
