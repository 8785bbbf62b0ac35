import Type from 'typebox';
import { URL_MAX_LENGTH } from '../../limits.ts';
import { SandboxAnswer } from '../../resources/index.ts';
import { closed, EXPECTS, oneOf } from '../../schema.ts';
import { operation } from '../operation.ts';
import { onPortal } from './in-portal.ts';

/** ASCII word characters with single dots between them, so that every parser reads the same path. */
const SEGMENT = '(?:[\\w:@-]|%40|%3[Aa])+';
const SANDBOX_PATH = `^(?:/${SEGMENT}(?:\\.${SEGMENT})*)+(?:\\?[^\\s#\\\\]*)?$`;

export const portalSandboxOperations = {
  useSandbox: operation({
    ...onPortal,
    id: 'useSandbox',
    method: 'POST',
    right: 'build',
    path: '/portal/api/sandbox',
    summary: 'Ask something of the sandbox',
    description:
      'Asks the sandbox as one would ask `/sandbox/v1`, and hands its answer back. An account has the phones that it made and those that its numbers are linked to; to it others do not exist, and time is not its own to move. There only in development, while the sandbox is the network in use.',
    body: closed({
      method: oneOf(['GET', 'POST', 'PUT']),
      path: Type.String({
        maxLength: URL_MAX_LENGTH,
        pattern: SANDBOX_PATH,
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
