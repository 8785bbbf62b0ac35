import { ResourceId } from '../../primitives.ts';
import { ApiKeyCreated, ApiKeyUseList } from '../../resources/index.ts';
import { closed } from '../../schema.ts';
import { operation } from '../operation.ts';
import { operatorOperations } from '../operator.ts';
import { listPage } from '../pages.ts';
import { onPortal } from './in-portal.ts';

export const portalKeyOperations = {
  listMyApiKeys: operation({
    ...onPortal,
    id: 'listMyApiKeys',
    method: 'GET',
    right: 'see',
    path: '/portal/api/api-keys',
    summary: 'List API keys, also those that have ended, and when they were used last',
    query: closed(listPage),
    answers: { 200: ApiKeyUseList },
    errors: [],
  }),
  createMyApiKey: operation({
    ...onPortal,
    id: 'createMyApiKey',
    method: 'POST',
    right: 'build',
    path: '/portal/api/api-keys',
    summary: 'Create an API key',
    description: 'The key itself is shown only in this answer.',
    body: operatorOperations.createApiKey.body,
    answers: { 201: ApiKeyCreated },
    errors: ['device_not_found'],
  }),
  rollMyApiKey: operation({
    ...onPortal,
    id: 'rollMyApiKey',
    method: 'POST',
    right: 'build',
    path: '/portal/api/api-keys/{key_id}/roll',
    summary: 'Replace an API key by a new one that may do the same',
    description: 'The new key is shown only in this answer; the old one goes on for a while.',
    subject: 'api_key',
    params: closed({ key_id: ResourceId }),
    body: operatorOperations.rollApiKey.body,
    bodyOptional: true,
    answers: { 201: ApiKeyCreated },
    errors: [],
  }),
  revokeMyApiKey: operation({
    ...onPortal,
    id: 'revokeMyApiKey',
    method: 'DELETE',
    right: 'build',
    path: '/portal/api/api-keys/{key_id}',
    summary: 'Revoke an API key',
    subject: 'api_key',
    params: closed({ key_id: ResourceId }),
    answers: { 204: null },
    errors: [],
  }),
};
