import Type from 'typebox';
import { Health, Readiness } from '../resources/index.ts';
import { operation } from './operation.ts';

const onHealth = { tag: 'Health', surface: 'public', limits: [], method: 'GET' } as const;

export const publicOperations = {
  getHealth: operation({
    ...onHealth,
    id: 'getHealth',
    path: '/healthz',
    summary: 'Is the process up?',
    answers: { 200: Health },
    errors: [],
    run: {},
  }),
  getReadiness: operation({
    ...onHealth,
    id: 'getReadiness',
    path: '/readyz',
    summary: 'Can it do its work?',
    description:
      'Store, bus and, where this process hosts sessions, the worker. A 503 names the part that fails.',
    answers: { 200: Readiness },
    errors: ['not_ready'],
    run: {},
  }),
  getMetrics: operation({
    ...onHealth,
    id: 'getMetrics',
    path: '/metrics',
    summary: 'Prometheus metrics',
    answers: { 200: Type.String() },
    answerType: 'text/plain',
    errors: ['metrics_token_invalid'],
    run: {},
  }),
};
