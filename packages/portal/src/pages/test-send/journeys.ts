import type { FailureReason, MessageRecord, MessageState } from '@parley/contract';
import type { LiveEvent } from '../../api/index.ts';

/** Progress of one message. */
export interface Journey {
  readonly messageId: string;
  readonly kind: string;
  readonly to: string;
  /** Time at which each state was reached; the network may skip some. */
  readonly reached: Readonly<Partial<Record<MessageState, number>>>;
  readonly reason?: FailureReason;
}

/** States shown as stages; others are shown as text. */
export const STAGES = ['accepted', 'sent', 'delivered', 'read'] as const satisfies readonly MessageState[];

/** Applies an event to the journey of its message. */
export function follow(journeys: readonly Journey[], { kind, event }: LiveEvent): readonly Journey[] {
  const state = kind === 'status' ? event.status : kind === 'receipt' ? event.receipt_type : undefined;
  if (!isState(state)) return journeys;
  const id = kind === 'status' ? event.message_id : event.network_message_id;
  const reason = isReason(event.reason) ? event.reason : undefined;
  return journeys.map((journey) =>
    journey.messageId === id ? reach(journey, state, Number(event.timestamp_unix), reason) : journey,
  );
}

/** Applies the gateway's state of the messages, for events before the stream was open. */
export function catchUp(
  journeys: readonly Journey[],
  messages: readonly Pick<MessageRecord, 'message_id' | 'status' | 'updated_at_unix' | 'reason'>[],
): readonly Journey[] {
  const known = new Map(messages.map((message) => [message.message_id, message]));
  return journeys.map((journey) => {
    const message = known.get(journey.messageId);
    return message ? reach(journey, message.status, message.updated_at_unix, message.reason) : journey;
  });
}

/** Keeps the first time. */
function reach(
  journey: Journey,
  state: MessageState,
  at: number,
  reason: FailureReason | undefined,
): Journey {
  if (journey.reached[state] !== undefined) return journey;
  return { ...journey, reached: { ...journey.reached, [state]: at }, ...(reason && { reason }) };
}

/** Number of completed stages. A read message counts as delivered, even without that receipt. */
export function stagesDone({ reached }: Journey): number {
  const last = STAGES.findLastIndex((stage) => reached[stage] !== undefined);
  return reached.played === undefined ? last + 1 : STAGES.length;
}

const STATES: readonly unknown[] = [...STAGES, 'played', 'failed'];
const isState = (value: unknown): value is MessageState => STATES.includes(value);

const REASONS: readonly unknown[] = [
  'INVALID_RECIPIENT',
  'MEDIA_FAILED',
  'SEND_FAILED',
  'RETRIES_EXHAUSTED',
] satisfies FailureReason[];
const isReason = (value: unknown): value is FailureReason => REASONS.includes(value);
