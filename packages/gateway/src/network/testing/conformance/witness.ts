import type { NetworkEvent } from '../../events.ts';
import type { ConnectionState, StandingNews } from '../../port.ts';

export type EventOf<Kind extends NetworkEvent['kind']> = Extract<NetworkEvent, { kind: Kind }>;

/** Stands where the gateway would: writes down what a session tells and takes the events, or not. */
export interface Witness {
  readonly states: readonly ConnectionState[];
  readonly standing: readonly StandingNews[];
  /** Every event that was offered, as often as it was. */
  readonly offered: readonly NetworkEvent[];
  /** Those whose call has resolved. */
  readonly taken: readonly NetworkEvent[];
  /** More than one is against the rules. */
  readonly mostCallsAtOnce: number;
  /** How often the session has come up. */
  readonly timesConnected: number;
  of<Kind extends NetworkEvent['kind']>(kind: Kind): EventOf<Kind>[];
  message(messageId: string): EventOf<'message'> | undefined;
  /** Replaces what becomes of the next calls: resolve to take, reject to refuse, never settle to hang. */
  answerWith(answer: (events: readonly NetworkEvent[]) => Promise<void>): void;
  /** Lets calls hang from now on; what it answers lets those under way through. */
  hold(): () => void;
  readonly onState: (state: ConnectionState) => void;
  readonly onStanding: (news: StandingNews) => void;
  readonly onEvents: (events: readonly NetworkEvent[]) => Promise<void>;
}

export function createWitness(): Witness {
  const states: ConnectionState[] = [];
  const standing: StandingNews[] = [];
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
