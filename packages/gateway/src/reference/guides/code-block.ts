import { parseSend } from '@parley/contract';
import type { Token, Tokens } from 'marked';
import { panel } from '../components.ts';
import { languageOf } from '../highlight.ts';
import { type Html, html } from '../html.ts';
import { drawPhone } from './phone.ts';

/**
 * Code in a frame. Words behind the language say more about it: `run`, a test runs it; `tab`, it shares its place with its
 * neighbours; `send`, it is the body of a send, and what the phone shows is drawn beside it.
 */
export function codeBlock({ text, lang = '' }: Tokens.Code): Html {
  const [name = '', ...words] = lang.split(' ');
  const drawn = panel({ ...languageOf(name), code: text });
  return words.includes('send') ? html`<div class="send">${drawn}${pictureOf(text)}</div>` : drawn;
}

export function standsInTabs(token: Token): boolean {
  return token.type === 'code' && String(token.lang).split(' ').includes('tab');
}

function pictureOf(body: string): Html {
  const parsed = parseSend(JSON.parse(body));
  if (!parsed.ok) throw new Error(`The guides show a send that is none: ${body}`);
  return drawPhone(parsed.send);
}
