import {
  SEND_KINDS,
  SEVERAL_LINES,
  type SendKindName,
  type SendOf,
  type SendRequest,
} from '@parley/contract';
import { type Child, type Html, html } from '../html.ts';

/** Renders a send as the recipient's phone would show it. A sketch: phones differ. */
export function drawPhone(send: SendRequest): Html {
  return html`<figure class="phone"><figcaption class="unseen">On the phone</figcaption>
<div class="screen">${drawn(send)}</div></figure>
`;
}

type Drawings = { readonly [K in SendKindName]?: (send: SendOf<K>) => Html };

/** A kind without a drawing of its own is a bubble with its name and its text. */
const DRAWINGS: Drawings = {
  text: (send) => bubble(above(send), words(send.text)),
  media: (send) => bubble(above(send), mediaOf(send), send.caption && words(send.caption)),
  location: (send) =>
    bubble(map, send.loc_name && html`<strong>${send.loc_name}</strong>`, quiet(send.loc_address)),
  contact: (send) => bubble(card(person, send.display_name, ''), action('Message')),
  reaction: (send) =>
    html`<div class="reacted">${earlier()}${send.emoji && html`<span class="reaction">${send.emoji}</span>`}</div>`,
  revoke: () => bubble(html`<em class="quiet">This message was deleted</em>`),
  sticker: () => sticker,
  edit: (send) => bubble(words(send.text), html`<span class="quiet">Edited</span>`),
  poll,
  disappearing: (send) => html`<p class="notice">${TIMER_WORDS[send.disappearing_timer]}</p>`,
  text_status: (send) => story(html`<p class="story-words">${send.text}</p>`),
  media_status: (send) =>
    story(landscape, send.caption && html`<p class="story-caption">${send.caption}</p>`),
  group_invite: (send) =>
    bubble(
      card(people, 'Group', 'Invitation to a group'),
      send.caption && words(send.caption),
      action('Join group'),
    ),
  interactive: (send) =>
    bubble(
      words(send.interactive_body),
      quiet(send.interactive_footer),
      send.interactive_buttons.map(({ display_text }) => action(display_text)),
    ),
};

function drawn(send: SendRequest): Html {
  // The compiler cannot infer that a send and the drawing of its kind match.
  const draw = DRAWINGS[send.kind] as ((send: SendRequest) => Html) | undefined;
  return draw?.(send) ?? bubble(quiet(SEND_KINDS[send.kind].summary), ...textsIn(send).map(words));
}

/** Readable texts of a send, without addresses, ids and options. */
function textsIn(send: SendRequest): string[] {
  const { properties }: { properties: Readonly<Record<string, object>> } = SEND_KINDS[send.kind].schema;
  return Object.entries(send).flatMap(([field, value]) =>
    typeof value === 'string' && SEVERAL_LINES in (properties[field] ?? {}) ? [value] : [],
  );
}

const TIMER_WORDS: Record<SendOf<'disappearing'>['disappearing_timer'], string> = {
  off: 'Disappearing messages were turned off.',
  '24h': 'New messages disappear from this chat after 24 hours.',
  '7d': 'New messages disappear from this chat after 7 days.',
  '90d': 'New messages disappear from this chat after 90 days.',
};

function bubble(...parts: Child[]): Html {
  return html`<div class="bubble">${parts}<span class="time">10:42</span></div>`;
}

/** Placeholder for the other side's message that the request refers to. */
function earlier(): Html {
  return html`<div class="bubble theirs"><span class="line"></span><span class="line short"></span></div>`;
}

function words(text: string): Html {
  return html`<p>${text.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`;
}

function quiet(text: string | undefined): Child {
  return text && html`<span class="quiet">${text}</span>`;
}

function above({ forwarded, quoted_message_id, quoted_text }: SendOf<'text'> | SendOf<'media'>): Child {
  return [
    forwarded && html`<em class="quiet">Forwarded</em>`,
    quoted_message_id !== undefined && html`<blockquote>${quoted_text ?? 'Photo'}</blockquote>`,
  ];
}

function mediaOf({ media_type, media_url, file_name }: SendOf<'media'>): Html {
  switch (media_type) {
    case 'image':
      return landscape;
    case 'video':
      return html`<div class="video">${landscape}<span class="play-button"></span></div>`;
    case 'audio':
      return waveform;
    case 'document':
      return html`<div class="file">${sheet}<span>${file_name ?? lastSegment(media_url ?? '')}</span></div>`;
  }
}

function lastSegment(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}

function card(picture: Html, name: string, note: string): Html {
  return html`<div class="card">${picture}<span><strong>${name}</strong>${note && html`<br><span class="quiet">${note}</span>`}</span></div>`;
}

function action(label: string): Html {
  return html`<span class="action">${label}</span>`;
}

function poll({ poll_name, poll_options, poll_selectable_count }: SendOf<'poll'>): Html {
  const hint = poll_selectable_count === 1 ? 'Select one' : 'Select one or more';
  return bubble(
    html`<strong>${poll_name}</strong>`,
    quiet(hint),
    html`<ul class="options">${poll_options.map((option) => html`<li>${option}</li>`)}</ul>`,
  );
}

function story(...parts: Child[]): Html {
  return html`<div class="story"><span class="progress"></span>${parts}</div>`;
}

/** Drawings for files that a request has only as an address. Their colours are in `phone.css`. */

const landscape: Html = html`<svg class="picture" viewBox="0 0 240 150" aria-hidden="true"><rect class="sky" width="240" height="150"/><circle class="sun" cx="184" cy="44" r="18"/><path class="far" d="M0 112 62 58l44 40 34-26 100 78H0z"/><path class="near" d="M0 150v-24c40-22 74-18 112-4s82 12 128-10v38z"/></svg>`;

const map: Html = html`<svg class="picture" viewBox="0 0 240 110" aria-hidden="true"><rect class="land" width="240" height="110"/><path class="water" d="M0 84c52-26 96 8 142-8s68-30 98-26v60H0z"/><path class="street" d="M-4 30 96 44l148-28M60-4l20 60-16 58M158-4l-12 40 22 78"/><path class="pin" d="M120 72c-14-18-20-26-20-36a20 20 0 0 1 40 0c0 10-6 18-20 36z"/><circle class="pin-eye" cx="120" cy="36" r="7"/></svg>`;

const sticker: Html = html`<svg class="sticker" viewBox="0 0 120 120" aria-hidden="true"><circle class="face" cx="60" cy="60" r="52"/><circle class="eye" cx="43" cy="50" r="6"/><circle class="eye" cx="77" cy="50" r="6"/><path class="smile" d="M36 70c8 18 40 18 48 0"/></svg>`;

const waveform: Html = html`<svg class="waveform" viewBox="0 0 168 32" aria-hidden="true"><path class="play" d="M2 5v22l18-11z"/><path class="wave" d="M34 13v6m8-10v14m8-18v22m8-14v6m8-12v18m8-14v10m8-16v22m8-18v14m8-10v6m8-14v22m8-18v14m8-8v2m8-8v14m8-20v26m8-18v10m8-7v4m8-9v14"/></svg>`;

const sheet: Html = html`<svg class="sheet" viewBox="0 0 28 34" aria-hidden="true"><path d="M2 0h16l10 10v22a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z"/><path class="fold" d="M18 0v10h10z"/></svg>`;

const person: Html = html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true"><circle class="ground" cx="20" cy="20" r="20"/><circle cx="20" cy="15" r="7"/><path d="M6 35c2-9 8-12 14-12s12 3 14 12a20 20 0 0 1-28 0z"/></svg>`;

const people: Html = html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true"><circle class="ground" cx="20" cy="20" r="20"/><circle cx="14" cy="16" r="5"/><circle cx="27" cy="16" r="5"/><path d="M5 31c1-7 5-9 9-9s8 2 9 9zM24 31c0-4-1-6-3-8 6-3 13 0 14 8z"/></svg>`;
