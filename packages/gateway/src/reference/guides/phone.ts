import type { SendOf, SendRequest } from '@parley/contract';
import { type Child, type Html, html } from '../html.ts';
import { landscape, map, people, person, sheet, sticker, waveform } from './phone/pictures.ts';

/** What the recipient's phone shows of a send, drawn from the request itself. A sketch: phones differ. */
export function drawPhone(send: SendRequest): Html {
  return html`<figure class="phone"><figcaption class="unseen">On the phone</figcaption>
<div class="screen">${drawn(send)}</div></figure>
`;
}

function drawn(send: SendRequest): Html {
  switch (send.kind) {
    case 'text':
      return bubble(above(send), words(send.text));
    case 'media':
      return bubble(above(send), mediaOf(send), send.caption && words(send.caption));
    case 'location':
      return bubble(map, send.loc_name && html`<strong>${send.loc_name}</strong>`, quiet(send.loc_address));
    case 'contact':
      return bubble(card(person, send.display_name, ''), action('Message'));
    case 'reaction':
      return html`<div class="reacted">${earlier()}${send.emoji && html`<span class="reaction">${send.emoji}</span>`}</div>`;
    case 'revoke':
      return bubble(html`<em class="quiet">This message was deleted</em>`);
    case 'sticker':
      return sticker;
    case 'edit':
      return bubble(words(send.text), html`<span class="quiet">Edited</span>`);
    case 'poll':
      return poll(send);
    case 'disappearing':
      return html`<p class="notice">${TIMER_WORDS[send.disappearing_timer]}</p>`;
    case 'text_status':
      return story(html`<p class="story-words">${send.text}</p>`);
    case 'media_status':
      return story(landscape, send.caption && html`<p class="story-caption">${send.caption}</p>`);
    case 'group_invite':
      return bubble(
        card(people, 'Group', 'Invitation to a group'),
        send.caption && words(send.caption),
        action('Join group'),
      );
    case 'interactive':
      return bubble(
        words(send.interactive_body),
        quiet(send.interactive_footer),
        send.interactive_buttons.map(({ display_text }) => action(display_text)),
      );
  }
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

/** A message of the other side that the request is about, whatever it said. */
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
      return html`<div class="file">${sheet}<span>${file_name ?? lastSegment(media_url)}</span></div>`;
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
