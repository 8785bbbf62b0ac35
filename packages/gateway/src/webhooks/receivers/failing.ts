import type { ReceiverFailure } from '@parley/contract';
import { EgressError, type EgressErrorCode, type Posted } from '#platform/egress';

/** Why an attempt came to nothing. */
export interface Failure {
  readonly cause: ReceiverFailure;
  readonly statusCode: number | null;
}

/** What is to be written down of a receiver that fails. */
export interface FailingNote extends Failure {
  readonly failingSince: number;
  readonly failedAt: number;
  readonly probeAt: number | null;
}

/** How one receiver has done since its last success, and what of that is written down. */
export interface Failing {
  /** Since the last success. */
  readonly hasFailed: boolean;
  /** What another process has written down. */
  adopt(failingSince: number | null): void;
  /** Answers with what is worth writing down now, if anything is. */
  failed(now: number, failure: Failure, probeAt: number | undefined): FailingNote | undefined;
  /** Answers whether something is written down that is no longer true. */
  succeeded(): boolean;
  /** What was to be written could not be. */
  notWritten(): void;
}

/** Fewer failures in a row are not recorded. */
const NOTIFY_FROM_FAILURES = 3;
const WRITE_AGAIN_AFTER_MS = 10_000;

export function createFailing(): Failing {
  let since: number | undefined;
  let inARow = 0;
  let isWritten = false;
  let written: FailingNote | undefined;

  return {
    get hasFailed() {
      return since !== undefined;
    },
    adopt(failingSince) {
      if (failingSince === null) return;
      since = failingSince;
      isWritten = true;
    },
    failed(now, failure, probeAt = undefined) {
      since ??= now;
      inARow++;
      if (!isWritten && inARow < NOTIFY_FROM_FAILURES && probeAt === undefined) return undefined;
      const note = { ...failure, failingSince: since, failedAt: now, probeAt: probeAt ?? null };
      if (written && isAsGood(written, note)) return undefined;
      written = note;
      isWritten = true;
      return note;
    },
    succeeded() {
      const wasWritten = isWritten;
      since = undefined;
      inARow = 0;
      isWritten = false;
      written = undefined;
      return wasWritten;
    },
    notWritten() {
      isWritten = true;
      written = undefined;
    },
  };
}

function isAsGood(written: FailingNote, note: FailingNote): boolean {
  return (
    written.cause === note.cause &&
    written.statusCode === note.statusCode &&
    written.probeAt === note.probeAt &&
    note.failedAt - written.failedAt < WRITE_AGAIN_AFTER_MS
  );
}

const BY_CODE: Partial<Record<EgressErrorCode, ReceiverFailure>> = {
  bad_url: 'nowhere',
  // The same for both: see `EgressError.leadsNowhere`.
  forbidden_address: 'nowhere',
  unresolvable: 'nowhere',
  unreachable: 'unreachable',
  proxy: 'unreachable',
  untrusted_certificate: 'certificate',
  timeout: 'timeout',
};

/** Undefined: it was taken. */
export function failureOf(answer: Posted | EgressError): Failure | undefined {
  if (answer instanceof EgressError)
    return { cause: BY_CODE[answer.code] ?? 'broken_answer', statusCode: null };
  const cause = causeOfStatus(answer.status);
  return cause && { cause, statusCode: answer.status };
}

/** Undefined: the status is a success. */
export function causeOfStatus(status: number): ReceiverFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 500) return 'server_error';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || status === 405 || status === 410) return 'not_found';
  if (status === 429) return 'rate_limited';
  return status >= 400 ? 'rejected' : 'redirect';
}
