import { SessionCipher } from 'libsignal';

/** One of the sessions that two devices have with each other, as libsignal keeps it. */
interface SessionEntry {
  serialize(): unknown;
  readonly constructor: { deserialize(serialized: unknown): SessionEntry };
}

// The published types leave out what is not called from outside.
const Base = SessionCipher as unknown as new (
  ...args: ConstructorParameters<typeof SessionCipher>
) => SessionCipher & {
  doDecryptWhisperMessage(message: Buffer, session: SessionEntry): Promise<Buffer>;
};

/**
 * The cipher of a real phone: a session on which a message was tried in vain is as it was before. libsignal leaves it a step ahead, and
 * keeps it so when the message then fits another one.
 */
export class PhoneSessionCipher extends Base {
  override async doDecryptWhisperMessage(message: Buffer, session: SessionEntry): Promise<Buffer> {
    const before = session.serialize();
    try {
      return await super.doDecryptWhisperMessage(message, session);
    } catch (failure) {
      Object.assign(session, session.constructor.deserialize(before));
      throw failure;
    }
  }
}
