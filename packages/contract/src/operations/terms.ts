import { Terms } from '../resources/index.ts';
import { operation } from './operation.ts';

export const termsOperations = {
  getTerms: operation({
    id: 'getTerms',
    method: 'GET',
    path: '/v1/tos',
    summary: 'Ask which terms await acceptance',
    description:
      'Distinguishes the 403 for unaccepted terms from key problems: it is answered even while terms are pending or the account is suspended. Terms are accepted in the portal, not here.',
    tag: 'Terms of service',
    surface: 'v1',
    permission: 'none',
    limits: [],
    answersBlockedAccounts: true,
    answers: { 200: Terms },
    errors: [],
    sdk: 'terms',
    mcp: { tool: false, because: 'The owner accepts terms.' },
    run: {},
  }),
};
