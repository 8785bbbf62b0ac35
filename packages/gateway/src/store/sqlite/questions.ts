import { StoreError } from '../errors.ts';
import { isNotPlain, type Kind, OPENING, type Questions, type Reply } from './protocol.ts';

interface Asked {
  readonly kind: Kind | 'open';
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

interface Line {
  on(event: 'message', listener: (reply: Reply) => void): unknown;
  postMessage(message: unknown): void;
}

export type QuestionsOnLine = ReturnType<typeof createQuestions>;

/** Questions that are under way on one line to a database thread, each with whoever waits for its answer. */
export function createQuestions(line: Line) {
  const open = new Map<number, Asked>();
  let lastId = OPENING;
  let stopped = false;

  line.on('message', (reply) => {
    const asked = open.get(reply.id);
    open.delete(reply.id);
    if ('error' in reply) asked?.reject(new StoreError(reply.error.code, reply.error.message));
    else asked?.resolve(reply.answer);
  });

  function expectAnswer<Answer>(id: number, kind: Asked['kind']): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      // The protocol pairs each kind of question with its answer.
      open.set(id, { kind, resolve: resolve as Asked['resolve'], reject });
    });
  }

  return {
    expectAnswer,
    ask<K extends Kind>(kind: K, question: Questions[K]['ask']): Promise<Questions[K]['answer']> {
      if (stopped) return Promise.reject(new StoreError('unavailable', 'The database thread has stopped.'));
      lastId += 1;
      try {
        line.postMessage({ id: lastId, kind, ...question });
      } catch (error) {
        if (!isNotPlain(error)) return Promise.reject(error);
        return Promise.reject(new StoreError('statement_failed', 'What was to be stored is not plain data.'));
      }
      return expectAnswer(lastId, kind);
    },
    /** Nobody answers any more. */
    stop() {
      stopped = true;
      for (const { kind, reject } of open.values()) reject(interrupted(kind));
      open.clear();
    },
  };
}

function interrupted(kind: Asked['kind']): StoreError {
  return kind === 'batch' || kind === 'commit'
    ? new StoreError('commit_unknown', 'The database thread stopped while it was committing.')
    : new StoreError('unavailable', 'The database thread stopped before it answered.');
}
