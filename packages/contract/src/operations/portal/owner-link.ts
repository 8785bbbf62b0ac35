import { PASSKEY_FIELD_MAX_LENGTH } from '../../limits.ts';
import { ResourceId } from '../../primitives.ts';
import { OwnerLink, PasskeyCredential, parsePasskeyCredential } from '../../resources/index.ts';
import { closed } from '../../schema.ts';
import { operation } from '../operation.ts';

/** The token comes from the account's owner; the cookie marks the browser that opened it first. */
const onLink = {
  tag: 'Portal',
  surface: 'portal_entrance',
  limits: [],
  params: closed({ token: ResourceId }),
} as const;

const refusals = ['link_not_found', 'link_taken'] as const;

/** Requests of the page at `/link/{token}`: one pairing attempt, for a number's owner without login. */
export const portalOwnerLinkOperations = {
  openOwnerLink: operation({
    ...onLink,
    id: 'openOwnerLink',
    method: 'POST',
    path: '/portal/api/links/{token}/open',
    summary: 'Open a link for the owner of a number',
    description:
      'The first browser that does so keeps it, by a cookie; to every other it is worth nothing from then on.',
    answers: { 200: OwnerLink },
    errors: refusals,
  }),
  getOwnerLink: operation({
    ...onLink,
    id: 'getOwnerLink',
    method: 'GET',
    path: '/portal/api/links/{token}',
    summary: 'Ask how the pairing behind a link stands',
    answers: { 200: OwnerLink },
    errors: refusals,
  }),
  answerOwnerLink: operation({
    ...onLink,
    id: 'answerOwnerLink',
    method: 'POST',
    path: '/portal/api/links/{token}/passkey',
    summary: 'Confirm the pairing behind a link with a passkey',
    body: PasskeyCredential,
    parseBody: parsePasskeyCredential,
    bodyMaxBytes: 8 * PASSKEY_FIELD_MAX_LENGTH,
    answers: { 200: OwnerLink },
    errors: [...refusals, 'passkey_not_asked', 'passkey_of_another_challenge'],
  }),
  confirmOwnerLink: operation({
    ...onLink,
    id: 'confirmOwnerLink',
    method: 'POST',
    path: '/portal/api/links/{token}/confirm',
    summary: 'Confirm that the phone shows the same code',
    answers: { 200: OwnerLink },
    errors: [...refusals, 'confirmation_not_asked'],
  }),
  cancelOwnerLink: operation({
    ...onLink,
    id: 'cancelOwnerLink',
    method: 'DELETE',
    path: '/portal/api/links/{token}',
    summary: 'Give up the pairing behind a link',
    answers: { 204: null },
    errors: [...refusals, 'number_already_linked'],
  }),
};
