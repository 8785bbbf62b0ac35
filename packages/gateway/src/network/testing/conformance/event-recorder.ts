import type { NetworkEvent } from '../../events.ts';
import type { ConnectionState, NumberHealthChange } from '../../port.ts';

export type EventOf<Kind extends NetworkEvent['kind']> = Extract<NetworkEvent, { kind: Kind }>;

/** Plays the gateway: records the callbacks of a session and accepts its events, or not. */
export interface EventRecorder {
  readonly states: readonly ConnectionState[];
  readonly standing: readonly NumberHealthChange[];
  /** Every offered event, including repetitions. */
  readonly offered: readonly NetworkEvent[];
  /** Events whose call has resolved. */
  readonly taken: readonly NetworkEvent[];
  /** More than one violates the port's rules. */
  readonly mostCallsAtOnce: number;
  /** How often the session has connected. */
  readonly timesConnected: number;
  of<Kind extends NetworkEvent['kind']>(kind: Kind): EventOf<Kind>[];
  message(messageId: string): EventOf<'message'> | undefined;
  /** Replaces the outcome of the next calls: resolve to accept, reject to refuse, never settle to hang. */
  answerWith(answer: (events: readonly NetworkEvent[]) => Promise<void>): void;
  /** Lets calls hang from now on; the returned function releases them. */
  hold(): () => void;
  readonly onState: (state: ConnectionState) => void;
  readonly onStanding: (news: NumberHealthChange) => void;
  readonly onEvents: (events: readonly NetworkEvent[]) => Promise<void>;
}

export function createEventRecorder(): EventRecorder {
  const states: ConnectionState[] = [];
  const standing: NumberHealthChange[] = [];
  const offered: NetworkEvent[] = [];
  const taken: NetworkEvent[] = [];
  let answer: (events: readonly NetworkEvent[]) => Promise<void> = async () => {};
  let callsUnderWay = 0;
  let mostCallsAtOnce = 0;

  const of = <Kind extends NetworkEvent['kind']>(kind: Kind): EventOf<Kind>[] =>
    taken.filter((event): event is EventOf<Kind> => event.kind === kind);

  return {
    states,
    standing,
    offered,
    taken,
    get mostCallsAtOnce() {
      return mostCallsAtOnce;
    },
    get timesConnected() {
      return states.filter(({ kind }) => kind === 'connected').length;
    },
    of,
    message: (messageId) => of('message').find((event) => event.messageId === messageId),
    answerWith(next) {
      answer = next;
    },
    hold() {
      const releases: (() => void)[] = [];
      answer = () => new Promise((resolve) => releases.push(resolve));
      return () => {
        for (const release of releases.splice(0)) release();
      };
    },
    onState: (state) => {
      states.push(state);
    },
    onStanding: (news) => {
      standing.push(news);
    },
    async onEvents(events) {
      offered.push(...events);
      callsUnderWay += 1;
      mostCallsAtOnce = Math.max(mostCallsAtOnce, callsUnderWay);
      try {
        await answer(events);
        taken.push(...events);
      } finally {
        callsUnderWay -= 1;
      }
    },
  };
}
