import {
  BUTTON_COPY_CODE_MAX_LENGTH,
  BUTTON_ID_MAX_LENGTH,
  BUTTON_TEXT_MAX_LENGTH,
  BUTTONS_MAX,
  CAPTION_MAX_LENGTH,
  EMOJI_MAX_LENGTH,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  INTERACTIVE_BODY_MAX_LENGTH,
  INTERACTIVE_FOOTER_MAX_LENGTH,
  MENTIONS_MAX,
  NAME_MAX_LENGTH,
  oneLine,
  POLL_NAME_MAX_LENGTH,
  POLL_OPTION_MAX_LENGTH,
  POLL_OPTIONS_MAX,
  SELECT_ROW_DESCRIPTION_MAX_LENGTH,
  SELECT_ROWS_MAX,
  SELECT_SECTIONS_MAX,
  TEXT_MAX_LENGTH,
} from '@parley/contract';
import Type from 'typebox';
import { HOUR_MS } from '#kernel';
import {
  Address,
  Id,
  Lines,
  MessageKey,
  Name,
  OptionalAddress,
  OptionalFlag,
  OptionalId,
  OptionalLines,
  OptionalName,
  OptionalText,
  OptionalUrl,
  RowId,
} from '../fields.ts';

/** Limit of the requested typing time; the indicator is shown for less. */
const Delay = Type.Optional(Type.Number({ minimum: 0, maximum: HOUR_MS }));

/** Fields that every send accepts. */
export const SendOptions = Type.Object({
  delay: Delay,
  messageId: OptionalText(IDEMPOTENCY_KEY_MAX_LENGTH),
  mentioned: Type.Optional(Type.Array(Address, { maxItems: MENTIONS_MAX })),
  quoted: Type.Optional(
    Type.Object({
      key: Type.Optional(Type.Object({ id: OptionalId, fromMe: OptionalFlag, participant: OptionalAddress })),
      message: Type.Optional(
        Type.Object({
          conversation: OptionalLines(TEXT_MAX_LENGTH),
          extendedTextMessage: Type.Optional(Type.Object({ text: OptionalLines(TEXT_MAX_LENGTH) })),
        }),
      ),
    }),
  ),
});

/** A URL, base64, or the value of a form field. Checked where it is read. */
const File = Type.Optional(Type.Unsafe<unknown>({}));
const options = SendOptions.properties;
const toRecipient = { ...options, number: Address };
const ofMedia = {
  ...toRecipient,
  file: File,
  caption: OptionalLines(CAPTION_MAX_LENGTH),
  mimetype: OptionalName,
  fileName: OptionalName,
};
const Title = Lines(INTERACTIVE_BODY_MAX_LENGTH);
const OptionalTitle = OptionalLines(INTERACTIVE_BODY_MAX_LENGTH);
const Footer = OptionalLines(INTERACTIVE_FOOTER_MAX_LENGTH);

export const TextBody = Type.Object({
  ...toRecipient,
  text: OptionalLines(TEXT_MAX_LENGTH),
  textMessage: Type.Optional(Type.Object({ text: OptionalLines(TEXT_MAX_LENGTH) })),
});

export const MediaBody = Type.Object({
  ...ofMedia,
  mediatype: Type.Enum(['image', 'document', 'video', 'audio'], { type: 'string' }),
  media: File,
});
export const VideoBody = Type.Object({ ...ofMedia, video: File });
export const AudioBody = Type.Object({ ...ofMedia, audio: File });
export const StickerBody = Type.Object({ ...toRecipient, file: File, sticker: File });

export const LocationBody = Type.Object({
  ...toRecipient,
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  name: OptionalLines(NAME_MAX_LENGTH),
  address: OptionalLines(NAME_MAX_LENGTH),
});

/** The original takes several; the network carries one here. */
export const ContactBody = Type.Object({
  ...toRecipient,
  contact: Type.Array(
    Type.Object({
      fullName: Name,
      phoneNumber: Name,
      wuid: OptionalName,
      organization: OptionalName,
      email: OptionalName,
      url: OptionalUrl,
    }),
    { minItems: 1, maxItems: 1 },
  ),
});

export const ReactionBody = Type.Object({
  ...options,
  key: MessageKey,
  reaction: Type.String({ maxLength: EMOJI_MAX_LENGTH, ...oneLine }),
});

export const PollBody = Type.Object({
  ...toRecipient,
  name: Lines(POLL_NAME_MAX_LENGTH),
  selectableCount: Type.Integer({ minimum: 0, maximum: POLL_OPTIONS_MAX }),
  values: Type.Array(Lines(POLL_OPTION_MAX_LENGTH), { maxItems: POLL_OPTIONS_MAX }),
});

export const Button = Type.Object({
  type: Type.Enum(['reply', 'copy', 'url', 'call'], { type: 'string' }),
  displayText: OptionalLines(BUTTON_TEXT_MAX_LENGTH),
  id: OptionalLines(BUTTON_ID_MAX_LENGTH),
  url: OptionalUrl,
  copyCode: OptionalLines(BUTTON_COPY_CODE_MAX_LENGTH),
  phoneNumber: OptionalName,
});

export const ButtonsBody = Type.Object({
  ...toRecipient,
  title: OptionalTitle,
  description: OptionalTitle,
  footer: Footer,
  buttons: Type.Array(Button, { minItems: 1, maxItems: BUTTONS_MAX }),
});

export const ListBody = Type.Object({
  ...toRecipient,
  title: Title,
  description: OptionalTitle,
  footerText: Footer,
  buttonText: Lines(BUTTON_TEXT_MAX_LENGTH),
  sections: Type.Array(
    Type.Object({
      title: Lines(BUTTON_TEXT_MAX_LENGTH),
      rows: Type.Array(
        Type.Object({
          title: Lines(BUTTON_TEXT_MAX_LENGTH),
          rowId: RowId,
          description: OptionalLines(SELECT_ROW_DESCRIPTION_MAX_LENGTH),
        }),
        { minItems: 1, maxItems: SELECT_ROWS_MAX },
      ),
    }),
    { minItems: 1, maxItems: SELECT_SECTIONS_MAX },
  ),
});

export const StatusBody = Type.Object({
  ...options,
  type: Type.Enum(['text', 'image', 'video', 'audio'], { type: 'string' }),
  file: File,
  /** The text itself, or the file. */
  content: File,
  caption: OptionalLines(CAPTION_MAX_LENGTH),
});

/** Messages are deleted and edited by their key. */
export const RevokeBody = MessageKey;
export const EditBody = Type.Object({
  number: Address,
  key: Type.Object({ id: Id }),
  text: Lines(TEXT_MAX_LENGTH),
});
