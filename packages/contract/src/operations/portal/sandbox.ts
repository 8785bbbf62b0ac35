import Type from 'typebox';
import { URL_MAX_LENGTH } from '../../limits.ts';
import { SandboxAnswer } from '../../resources/index.ts';
import { closed, EXPECTS, oneOf } from '../../schema.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

export const portalSandboxOperations = {
  useSandbox: operation({
    ...onPortal,
    id: 'useSandbox',
    method: 'POST',
    path: '/portal/api/sandbox',
    summary: 'Ask something of the sandbox',
    description:
      'Hands a request to `/sandbox/v1` and its answer back. There only in development, while the sandbox is the network in use.',
    body: closed({
      method: oneOf(['GET', 'POST', 'PUT']),
      path: Type.String({
        maxLength: URL_MAX_LENGTH,
        pattern: '^/[A-Za-z0-9][^\\s#]*$',
        description: 'Behind `/sandbox/v1`, with its query.',
        examples: ['/phones/15550002001/messages'],
        [EXPECTS]: 'a path such as /phones',
      }),
      body: Type.Optional(Type.Unknown()),
    }),
    answers: { 200: SandboxAnswer },
    errors: ['not_found'],
  }),
};
