import { WorldError, type WorldErrorCode } from '@parley/sandbox/world';
import { isAboutAnotherMessage, type OutboundContent } from '../../content.ts';
import { NetworkError, type NetworkErrorKind } from '../../errors.ts';

/** The world's own texts name numbers and addresses, so none of them is passed on. */
const meanings: Record<WorldErrorCode, { kind: NetworkErrorKind; text: string }> = {
  bad_request: { kind: 'malformed', text: 'The network does not accept this request.' },
  forbidden: { kind: 'refused', text: 'The network does not allow this to the number.' },
  not_found: { kind: 'not_found', text: 'The network does not know what was asked for.' },
  not_registered: { kind: 'not_found', text: 'The number is not registered on the network.' },
  not_acceptable: { kind: 'malformed', text: 'The network does not accept this request.' },
  conflict: { kind: 'refused', text: 'The network says that this is so already.' },
  gone: { kind: 'not_found', text: 'What was asked for is over.' },
};

/** Translates a failed operation; an error that is not the network's own is a bug and stays unchanged. */
export function operationError(error: unknown): unknown {
  if (!(error instanceof WorldError)) return error;
  const { kind, text } = meanings[error.code];
  return new NetworkError(kind, text, { cause: error });
}

/** Translates a failed send: an unknown party is its recipient, unless the content is about another message. */
export function recipientError(error: unknown, content: OutboundContent): unknown {
  if (!(error instanceof WorldError)) return error;
  const isUnknownRecipient =
    error.code === 'not_registered' || (error.code === 'not_found' && !isAboutAnotherMessage(content));
  if (!isUnknownRecipient) return error;
  const text = 'The network does not know the recipient.';
  return new NetworkError('permanent', text, { failure: 'invalid_recipient', cause: error });
}
