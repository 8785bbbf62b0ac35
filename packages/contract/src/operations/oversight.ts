import Type from 'typebox';
import { DELIVERIES_PAGE_DEFAULT, DELIVERIES_PAGE_MAX } from '../limits.ts';
import { ResourceId } from '../primitives.ts';
import {
  AuditLog,
  DeadLetterList,
  DeliveryQueued,
  FailingReceiverOfAllList,
  QuarantineList,
  QuarantineRetry,
  Queues,
  RegisteredNumberList,
  TermsVersionList,
  Throughput,
} from '../resources/index.ts';
import { closed, oneOf } from '../schema.ts';
import { operation } from './operation.ts';
import { listPage } from './pages.ts';

const onOperator = { tag: 'Operator', surface: 'operator', limits: [] } as const;

const page = {
  before: Type.Optional(
    Type.String({
      ...ResourceId,
      description: 'The last one of the page before: only older ones are listed.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: DELIVERIES_PAGE_MAX, default: DELIVERIES_PAGE_DEFAULT }),
  ),
};

/** What the operator sees of the whole gateway, across accounts. */
export const oversightOperations = {
  listNumbersOfAll: operation({
    ...onOperator,
    id: 'listNumbersOfAll',
    method: 'GET',
    path: '/operator/v1/devices',
    summary: 'List the numbers of all accounts',
    query: closed(listPage),
    answers: { 200: RegisteredNumberList },
    errors: [],
  }),
  listTermsVersions: operation({
    ...onOperator,
    id: 'listTermsVersions',
    method: 'GET',
    path: '/operator/v1/tos',
    summary: 'List the versions of the terms of service',
    listBound: 'What the operator has published.',
    answers: { 200: TermsVersionList },
    errors: [],
  }),
  getQueues: operation({
    ...onOperator,
    id: 'getQueues',
    method: 'GET',
    path: '/operator/v1/queues',
    summary: 'How much waits to be sent and to be delivered',
    answers: { 200: Queues },
    errors: [],
  }),
  listDeadLetters: operation({
    ...onOperator,
    id: 'listDeadLetters',
    method: 'GET',
    path: '/operator/v1/dead-letters',
    summary: 'List deliveries of which every attempt failed',
    description: 'Newest first, across accounts. Content is redacted.',
    query: closed({ account_id: Type.Optional(ResourceId), ...page }),
    answers: { 200: DeadLetterList },
    errors: [],
  }),
  redeliverDeadLetter: operation({
    ...onOperator,
    id: 'redeliverDeadLetter',
    method: 'POST',
    path: '/operator/v1/dead-letters/{delivery_id}/redeliver',
    summary: 'Deliver a dead letter once more',
    params: closed({ delivery_id: ResourceId }),
    answers: { 202: DeliveryQueued },
    errors: ['delivery_not_found', 'delivery_not_dead', 'webhook_has_no_url'],
  }),
  listQuarantine: operation({
    ...onOperator,
    id: 'listQuarantine',
    method: 'GET',
    path: '/operator/v1/quarantine',
    summary: 'List what the network told and could not be stored',
    description: 'Newest first, across accounts, without content. It is kept sealed for 30 days.',
    query: closed({ account_id: Type.Optional(ResourceId), ...page }),
    answers: { 200: QuarantineList },
    errors: [],
  }),
  retryQuarantined: operation({
    ...onOperator,
    id: 'retryQuarantined',
    method: 'POST',
    path: '/operator/v1/quarantine/{quarantine_id}/retry',
    summary: 'Try again to store something of the quarantine',
    description:
      'It leaves the quarantine when it was stored, and is told like everything else then. Otherwise it stays, with the reason of this time.',
    params: closed({ quarantine_id: ResourceId }),
    answers: { 200: QuarantineRetry },
    errors: ['quarantined_not_found'],
  }),
  dropQuarantined: operation({
    ...onOperator,
    id: 'dropQuarantined',
    method: 'DELETE',
    path: '/operator/v1/quarantine/{quarantine_id}',
    summary: 'Drop something from the quarantine, unseen',
    params: closed({ quarantine_id: ResourceId }),
    answers: { 204: null },
    errors: ['quarantined_not_found'],
  }),
  getThroughput: operation({
    ...onOperator,
    id: 'getThroughput',
    method: 'GET',
    path: '/operator/v1/throughput',
    summary: 'How much the gateway accepted, sent, received and delivered',
    description: 'By minute for the last day, by hour for the last month.',
    query: closed({ span: Type.Optional(oneOf(['minute', 'hour'], { default: 'minute' })) }),
    listBound: 'A point each, of a window of fixed length.',
    answers: { 200: Throughput },
    errors: [],
  }),
  listFailingOfAll: operation({
    ...onOperator,
    id: 'listFailingOfAll',
    method: 'GET',
    path: '/operator/v1/failing-receivers',
    summary: 'List receivers that answer nothing but failures',
    listBound: '`FAILING_RECEIVERS_LISTED_MAX`.',
    answers: { 200: FailingReceiverOfAllList },
    errors: [],
  }),
  listAuditLog: operation({
    ...onOperator,
    id: 'listAuditLog',
    method: 'GET',
    path: '/operator/v1/audit',
    summary: 'Read who changed what',
    description: 'Newest first.',
    query: closed({ account_id: Type.Optional(ResourceId), ...page }),
    answers: { 200: AuditLog },
    errors: [],
  }),
};
