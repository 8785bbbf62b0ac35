import { SessionCipher } from 'libsignal';

/** One of the sessions between two devices, as libsignal stores it. */
interface SessionEntry {
  serialize(): unknown;
  readonly constructor: { deserialize(serialized: unknown): SessionEntry };
}

// The published types omit internal methods.
const Base = SessionCipher as unknown as new (
  ...args: ConstructorParameters<typeof SessionCipher>
) => SessionCipher & {
  doDecryptWhisperMessage(message: Buffer, session: SessionEntry): Promise<Buffer>;
};

/**
 * The cipher of a real phone: a failed decryption leaves a session unchanged. libsignal leaves it a step ahead, and keeps that
 * step when the message then fits another session.
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
