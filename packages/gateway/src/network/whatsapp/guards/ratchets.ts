import { SessionCipher } from 'libsignal';

/**
 * Two devices often have several sessions with each other: both opened one at the same moment, or one of them started over. libsignal
 * tries a message on each, and every try steps that session's ratchet before the MAC shows that the message belongs elsewhere; as soon as
 * another one fits, the record is stored with all of them. What is sent through a session that was stepped so can be read by nobody, and
 * so it goes to the one that was opened last and is used from then on. Here a session that did not fit is put back as it was.
 *
 * The step is a method of the cipher that all of its callers go through, so the repair is a replacement, made once per process.
 */
export function repairRatchets(): void {
  if (repaired) return;
  repaired = true;
  // The published types leave out what is not called from outside.
  const cipher = SessionCipher.prototype as unknown as { doDecryptWhisperMessage: Decrypt };
  const decrypt = cipher.doDecryptWhisperMessage;
  cipher.doDecryptWhisperMessage = async function (message, session) {
    const before = session?.serialize();
    try {
      return await decrypt.call(this, message, session);
    } catch (failure) {
      if (session) Object.assign(session, session.constructor.deserialize(before));
      throw failure;
    }
  };
}

let repaired = false;

type Decrypt = (message: Buffer, session: SessionEntry | undefined) => Promise<Buffer>;

/** One of the sessions in a record. */
interface SessionEntry {
  serialize(): unknown;
  readonly constructor: { deserialize(serialized: unknown): SessionEntry };
}
