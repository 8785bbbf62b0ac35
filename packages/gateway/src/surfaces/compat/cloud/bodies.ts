import {
  ABOUT_MAX_LENGTH,
  BUTTON_ID_MAX_LENGTH,
  BUTTONS_MAX,
  CAPTION_MAX_LENGTH,
  EMOJI_MAX_LENGTH,
  ID_MAX_LENGTH,
  INTERACTIVE_BODY_MAX_LENGTH,
  NAME_MAX_LENGTH,
  oneLine,
  SELECT_ROWS_MAX,
  SELECT_SECTIONS_MAX,
  severalLines,
  TEXT_MAX_LENGTH,
  TOKEN_MAX_LENGTH,
  URL_MAX_LENGTH,
} from '@parley/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import { JSON_FIELDS } from '#platform/http';

/**
 * Types and limits of request fields. All fields are optional and unknown ones are ignored. The mapping of a message checks which fields it
 * requires, with the Graph API's error texts.
 */

/** Text of one line. */
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength, ...oneLine }));
/** Text that may have several lines. */
const lines = (maxLength: number) => Type.Optional(Type.String({ maxLength, ...severalLines }));
const object = <P extends TProperties>(properties: P) =>
  Type.Optional(Type.Object(properties, { [JSON_FIELDS]: true }));
const list = <S extends TSchema>(items: S, maxItems: number) =>
  Type.Optional(Type.Array(items, { maxItems, [JSON_FIELDS]: true }));
/** Some clients send numbers as text; the reader of the field checks their range. */
const Numeric = Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 32, ...oneLine })]));
const Flag = Type.Optional(Type.Boolean());

const Id = text(ID_MAX_LENGTH);
const Name = text(NAME_MAX_LENGTH);
const Url = text(URL_MAX_LENGTH);
/** Holds an id and two addresses, encoded. */
const Wamid = text(1_024);
const Text = lines(TEXT_MAX_LENGTH);
const Label = lines(NAME_MAX_LENGTH);
const Paragraph = lines(INTERACTIVE_BODY_MAX_LENGTH);

const WhatsAppProduct = { messaging_product: text(32) };

const Media = object({ id: Id, link: Url, caption: lines(CAPTION_MAX_LENGTH), filename: Name });

const PARTS_OF_CARD_MAX = 20;
const Contact = Type.Object({
  name: object({
    formatted_name: Name,
    first_name: Name,
    last_name: Name,
    middle_name: Name,
    prefix: Name,
    suffix: Name,
  }),
  phones: list(Type.Object({ phone: Name, wa_id: Id, type: Name }), PARTS_OF_CARD_MAX),
  emails: list(Type.Object({ email: Name, type: Name }), PARTS_OF_CARD_MAX),
  urls: list(Type.Object({ url: Url, type: Name }), PARTS_OF_CARD_MAX),
  addresses: list(
    Type.Object({ street: Label, city: Name, state: Name, zip: Name, country: Name, type: Name }),
    PARTS_OF_CARD_MAX,
  ),
  org: object({ company: Name, department: Name, title: Name }),
  birthday: text(32),
});

const Row = Type.Object({ id: lines(BUTTON_ID_MAX_LENGTH), title: Label, description: Label });
const Interactive = object({
  type: Name,
  header: object({ type: Name, text: Paragraph }),
  body: object({ text: Paragraph }),
  footer: object({ text: Paragraph }),
  action: object({
    name: Name,
    button: Label,
    buttons: list(
      Type.Object({ type: Name, reply: object({ id: lines(BUTTON_ID_MAX_LENGTH), title: Label }) }),
      BUTTONS_MAX,
    ),
    sections: list(Type.Object({ title: Label, rows: list(Row, SELECT_ROWS_MAX) }), SELECT_SECTIONS_MAX),
    parameters: object({ display_text: Label, url: Url }),
  }),
});

/** As many as a template has placeholders; a placeholder may be used several times. */
const PARAMETERS_MAX = 100;
const SentText = lines(INTERACTIVE_BODY_MAX_LENGTH);
const Parameter = Type.Object({
  type: Name,
  parameter_name: Name,
  text: SentText,
  payload: lines(BUTTON_ID_MAX_LENGTH),
  coupon_code: lines(BUTTON_ID_MAX_LENGTH),
  currency: object({ fallback_value: SentText }),
  date_time: object({ fallback_value: SentText }),
  image: Media,
  video: Media,
  document: Media,
});
const TemplateSend = object({
  name: text(512),
  language: object({ code: text(32) }),
  components: list(
    Type.Object({ type: Name, index: Numeric, parameters: list(Parameter, PARAMETERS_MAX) }),
    BUTTONS_MAX + 3,
  ),
});

/** A send, or a read receipt. */
export const MessageBody = Type.Object({
  ...WhatsAppProduct,
  recipient_type: text(32),
  to: Id,
  recipient: Id,
  type: text(64),
  status: text(32),
  message_id: Wamid,
  biz_opaque_callback_data: lines(512),
  context: object({ message_id: Wamid }),
  typing_indicator: object({ type: text(32) }),
  text: object({ body: Text, preview_url: Flag }),
  image: Media,
  video: Media,
  audio: Media,
  document: Media,
  sticker: Media,
  location: object({ latitude: Numeric, longitude: Numeric, name: Label, address: Label }),
  contacts: list(Contact, 10),
  reaction: object({ message_id: Wamid, emoji: text(EMOJI_MAX_LENGTH) }),
  interactive: Interactive,
  template: TemplateSend,
});

/** People per block request; each costs one network request. */
const BLOCKED_AT_ONCE_MAX = 100;
export const BlockBody = Type.Object({
  ...WhatsAppProduct,
  block_users: list(Type.Object({ user: Id, user_id: Id }), BLOCKED_AT_ONCE_MAX),
});

export const ProfileBody = Type.Object({
  ...WhatsAppProduct,
  about: lines(ABOUT_MAX_LENGTH),
  profile_picture_handle: Id,
});

const callback = {
  override_callback_uri: Url,
  verify_token: text(TOKEN_MAX_LENGTH),
  app_secret: text(NAME_MAX_LENGTH),
};
export const SubscribeBody = Type.Object(callback);
export const NumberBody = Type.Object({
  webhook_configuration: object(callback),
  phone_number_id: Id,
  whatsapp_business_account_id: Id,
});
export const DeregisterBody = Type.Object(WhatsAppProduct);
export const RegisterBody = Type.Object({ ...WhatsAppProduct, pin: text(32) });

const TEMPLATE_TEXT_MAX_LENGTH = 1_024;
/** Stored as it was defined, for listing, so the known forms of examples are kept too. */
const Examples = Type.Optional(
  Type.Array(Type.String({ maxLength: TEMPLATE_TEXT_MAX_LENGTH, ...severalLines }), { maxItems: 10 }),
);
const Component = Type.Object({
  type: Name,
  format: Name,
  text: lines(TEMPLATE_TEXT_MAX_LENGTH),
  buttons: list(Type.Object({ type: Name, text: Label, url: Url, phone_number: Name }), 10),
  example: object({ header_text: Examples, header_handle: Examples }),
});
export const TemplateBody = Type.Object({
  name: text(512),
  language: text(32),
  category: text(64),
  components: list(Component, 10),
});

export const TemplateQuery = Type.Object({ name: text(512), language: text(32) });
