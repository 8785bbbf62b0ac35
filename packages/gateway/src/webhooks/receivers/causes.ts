import type { ReceiverFailure } from '@parley/contract';
import { EgressError, type EgressErrorCode, type Posted } from '#egress';
import type { Failure } from './failing.ts';

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
