import { NetworkError } from '../../errors.ts';
import { refusal, toNetworkError } from '../errors.ts';

export function unknownRecipient(cause?: unknown): NetworkError {
  const text = 'The network does not know the recipient.';
  return new NetworkError('permanent', text, { failure: 'invalid_recipient', cause });
}

/** Where nothing but the recipient can be unknown to the network. */
export function recipientError(error: NetworkError): NetworkError {
  return error.kind === 'not_found' ? unknownRecipient(error) : error;
}

/** All that is asked on the way to the socket is who the recipients are. */
export function aboutRecipient<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    throw recipientError(toNetworkError(error));
  });
}

export function notAdmin(): NetworkError {
  return new NetworkError('refused', 'Only an admin of the group may delete what other members wrote.');
}

/** The network does not let this number write to this person, who has never written to it: trying again counts against it. */
export const RESTRICTED = 463;
/** The network cannot make sense of the stanza: it is addressed wrongly, or to devices that are gone. */
export const UNACCEPTABLE = 479;

export function ackError(code: number): NetworkError {
  switch (code) {
    case RESTRICTED:
      return new NetworkError('permanent', 'The network does not let this number start new chats.', { code });
    case UNACCEPTABLE:
      return new NetworkError('permanent', 'The network does not accept this message.', { code });
    default:
      return refusal(code);
  }
}
