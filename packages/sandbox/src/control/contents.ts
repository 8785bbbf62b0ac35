import { DISAPPEARING_SECONDS, type SendOf, type SendRequest } from '@parley/contract';
import {
  type Actor,
  type Bubble,
  type BubbleMarks,
  type Button,
  type Content,
  type MediaRef,
  optionHash,
  type Person,
  type World,
} from '../world/index.ts';

/** Conversion of each kind of message between this interface and content. */

/** Kinds that are more than their fields: they need a file, or go to a chat of their own. */
type SpecialKind = 'media' | 'sticker' | 'media_status' | 'text_status';
type FilelessSend = Exclude<SendRequest, { kind: SpecialKind }>;

interface Viewed {
  readonly votes: Bubble['votes'];
  /** The address of a person in the chat. */
  readonly addressOf: (person: Person) => string;
}

/** The content that a phone sends for a request. */
export function phoneContent(world: World, actor: Actor, send: FilelessSend): Content {
  switch (send.kind) {
    case 'text':
      return {
        type: 'text',
        text: send.text,
        ...(send.link_preview && { linkPreview: send.link_preview }),
        ...marksOf(world, send),
      };
    case 'location': {
      const { latitude, longitude, loc_name: name, loc_address: address } = send;
      return { type: 'location', latitude, longitude, ...(name && { name }), ...(address && { address }) };
    }
    case 'contact':
      return { type: 'contact', displayName: send.display_name, vcard: send.vcard };
    case 'reaction':
      return { type: 'reaction', target: send.reacted_message_id, emoji: send.emoji };
    case 'revoke':
      return { type: 'revoke', target: send.revoked_message_id };
    case 'edit':
      return { type: 'edit', target: send.edit_message_id, text: send.text };
    case 'poll':
      return {
        type: 'poll',
        name: send.poll_name,
        options: send.poll_options,
        selectableCount: send.poll_selectable_count ?? 0,
        secret: world.messages.newSecret(),
      };
    case 'disappearing':
      return { type: 'disappearing', seconds: DISAPPEARING_SECONDS[send.disappearing_timer] };
    case 'group_invite': {
      const group = send.group_invite_jid;
      const code = world.groups.inviteCode(actor, group);
      const { name } = world.groups.get(actor, group);
      return { type: 'group_invite', group, code, name, ...caption(send) };
    }
    case 'interactive':
      return {
        type: 'interactive',
        body: send.interactive_body,
        ...(send.interactive_footer && { footer: send.interactive_footer }),
        buttons: send.interactive_buttons.map(toButton),
      };
  }
}

/** Fields of a content beyond its text, in the list of messages. */
export function contentView(content: Content, { votes, addressOf }: Viewed): object {
  switch (content.type) {
    case 'text':
      return content.linkPreview ? { link_preview: content.linkPreview } : {};
    case 'image':
    case 'video':
    case 'audio':
      return { media: mediaView(content.media), ...(content.viewOnce && { view_once: true }) };
    case 'sticker':
      return { media: mediaView(content.media) };
    case 'document':
      return { media: { ...mediaView(content.media), filename: content.fileName } };
    case 'location': {
      const { latitude, longitude, name = '', address = '', live } = content;
      return { location: { latitude, longitude, name, address, ...(live && { live }) } };
    }
    case 'contact':
      return { contact: { display_name: content.displayName, vcard: content.vcard } };
    case 'poll':
      return {
        poll: {
          name: content.name,
          options: content.options,
          selectable_count: content.selectableCount,
          votes: votes.map(({ person, hashes }) => ({
            jid: addressOf(person),
            options: content.options.filter((option) => hashes.includes(optionHash(option))),
          })),
        },
      };
    case 'group_invite':
      return { group_invite: { group_jid: content.group, code: content.code, name: content.name } };
    case 'interactive':
      return {
        interactive: {
          body: content.body,
          footer: content.footer ?? '',
          buttons: content.buttons.map(buttonView),
        },
      };
    case 'button_response':
      return {
        button_response: {
          message_id: content.target,
          selected_id: content.id,
          selected_text: content.text,
          params_json: content.paramsJson ?? '',
        },
      };
    case 'disappearing':
      return { disappearing_seconds: content.seconds };
    case 'reaction':
    case 'revoke':
    case 'edit':
    case 'poll_vote':
    case 'other':
      return {};
  }
}

export const caption = ({ caption: words }: { caption?: string }) =>
  words === undefined ? {} : { caption: words };

export function marksOf(world: World, send: SendOf<'text' | 'media'>): BubbleMarks {
  const { forwarded, quoted_message_id: id, quoted_participant, quoted_text: text = '' } = send;
  const sender = world.phones.find(quoted_participant ?? send.to)?.phone;
  return {
    ...(forwarded && { forwarded }),
    ...(id !== undefined && { quote: { id, text, ...(sender && { sender }) } }),
  };
}

function toButton(button: SendOf<'interactive'>['interactive_buttons'][number]): Button {
  const { display_text: text } = button;
  switch (button.type) {
    case 'quick_reply':
      return { type: 'quick_reply', text, id: button.id };
    case 'cta_url':
      return { type: 'cta_url', text, url: button.url };
    case 'cta_copy':
      return { type: 'cta_copy', text, copyCode: button.copy_code };
    case 'cta_call':
      return { type: 'cta_call', text, phoneNumber: button.phone_number };
    case 'single_select':
      return { type: 'single_select', text, sections: button.sections };
  }
}

/** The id of a file is the SHA-256 of its bytes, so a test can compare without downloading. */
const mediaView = ({ id, mimetype, size, traits }: MediaRef) => ({
  mimetype,
  file_length: size,
  sha256: id,
  ...traits,
});

function buttonView(button: Button): object {
  const { type, text: display_text } = button;
  switch (button.type) {
    case 'quick_reply':
      return { type, display_text, id: button.id };
    case 'cta_url':
      return { type, display_text, url: button.url };
    case 'cta_copy':
      return { type, display_text, copy_code: button.copyCode };
    case 'cta_call':
      return { type, display_text, phone_number: button.phoneNumber };
    case 'single_select':
      return { type, display_text, sections: button.sections };
  }
}
