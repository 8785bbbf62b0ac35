import { REQUEST_BODY_MAX_BYTES } from '@parley/contract';
import type { CompatEndpoint } from '#platform/http';
import { type EvolutionContext, onInstance } from './instances.ts';
import { badRequest } from './refusals.ts';

/** Absent integrations answer as this interface does where they are switched off. */
const INTEGRATIONS = {
  chatwoot: 'Chatwoot',
  typebot: 'Typebot',
  openai: 'OpenAI',
  dify: 'Dify',
  flowise: 'Flowise',
  n8n: 'N8n',
  evolutionBot: 'EvolutionBot',
  evoai: 'EvoAI',
  rabbitmq: 'RabbitMQ',
  sqs: 'SQS',
  websocket: 'Websocket',
  nats: 'NATS',
  pusher: 'Pusher',
} as const;

const ACTIONS = [
  ['POST', 'create'],
  ['POST', 'set'],
  ['GET', 'find'],
  ['POST', 'settings'],
  ['GET', 'fetchSettings'],
  ['POST', 'changeStatus'],
  ['POST', 'start'],
  ['GET', 'fetch/:bot'],
  ['PUT', 'update/:bot'],
  ['DELETE', 'delete/:bot'],
  ['GET', 'fetchSessions/:bot'],
] as const;

export function disabledEndpoints(context: EvolutionContext): CompatEndpoint[] {
  return Object.entries(INTEGRATIONS).flatMap(([path, name]) =>
    ACTIONS.map(([method, action]) => ({
      ...onInstance(
        context,
        [method, `/${path}/${action}`],
        async () => {
          throw badRequest(`${name} is disabled`);
        },
        { permission: 'none', input: {}, bodyMaxBytes: REQUEST_BODY_MAX_BYTES },
      ),
      id: `${path}.${action.replace('/:bot', '')}`,
    })),
  );
}
