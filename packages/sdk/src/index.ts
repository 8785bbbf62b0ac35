export type { ApiRequest, CallOptions, DownloadOptions, SendOptions, UploadOptions } from './call.ts';
export { createParley, type Parley, type ParleyOptions } from './client.ts';
export type { ConnectOptions } from './connect.ts';
export type { Conversation, ConversationPlace, Quotable, ReplyOptions, Saying } from './conversation.ts';
export { ParleyError, type ParleyErrorCode } from './errors.ts';
export type { FileInput } from './files.ts';
export type * from './generated/types.ts';
export {
  type AcceptedMessage,
  MessageFailedError,
  type MessageStatus,
  type WaitOptions,
} from './messages.ts';
export type { WebhookAnswer } from './receiving/receive.ts';
export {
  createWebhookReceiver,
  type ReceiverOptions,
  type WebhookHandlers,
  type WebhookReceiver,
} from './receiving/receiver.ts';
export {
  type SigningSecret,
  type VerifiedDelivery,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './receiving/verify.ts';
export type { EventOf, StreamedEvent, StreamOptions } from './stream.ts';
