import {
  BUTTON_ID_MAX_LENGTH,
  ID_MAX_LENGTH,
  NAME_MAX_LENGTH,
  oneLine,
  severalLines,
  URL_MAX_LENGTH,
} from '@parley/contract';
import Type from 'typebox';

/** What the bodies of this interface are made of. Fields that are not named here are ignored, as the original does. */

/** On one line. */
export const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...oneLine });
export const OptionalText = (maxLength: number) => Type.Optional(Type.String({ maxLength, ...oneLine }));
/** What people write, which may have several lines. */
export const Lines = (maxLength: number) => Type.String({ minLength: 1, maxLength, ...severalLines });
export const OptionalLines = (maxLength: number) =>
  Type.Optional(Type.String({ maxLength, ...severalLines }));

/** A person or a group: digits in any spelling, or an address. */
export const Address = Text(ID_MAX_LENGTH);
export const OptionalAddress = Type.Optional(Address);
export const Addresses = (maxItems: number) => Type.Array(Address, { minItems: 1, maxItems });
export const Id = Text(ID_MAX_LENGTH);
export const OptionalId = OptionalText(ID_MAX_LENGTH);
export const Name = Text(NAME_MAX_LENGTH);
export const OptionalName = OptionalText(NAME_MAX_LENGTH);
export const Url = Text(URL_MAX_LENGTH);
export const OptionalUrl = OptionalText(URL_MAX_LENGTH);
export const RowId = Lines(BUTTON_ID_MAX_LENGTH);
export const OptionalFlag = Type.Optional(Type.Boolean());

/** The key of a message. */
export const MessageKey = Type.Object({
  remoteJid: Address,
  id: Id,
  fromMe: OptionalFlag,
  participant: OptionalAddress,
});

/** Of requests without a body. */
export const NO_BODY_BYTES = 4 * 1024;
/** Of bodies without a file. */
export const SMALL_BODY_BYTES = 64 * 1024;
