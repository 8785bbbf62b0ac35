import type { OwnerLink, PasskeyCredential, SessionPasskey } from '@parley/contract';
import { apiError, type Clock, type Random } from '#kernel';
import type { NetworkSession } from '#network';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import type { ActionHandle, AnyHostAction, GetHost, HostAction, HostedSession } from '../types.ts';
import { ERROR_CODES } from './attempt.ts';
import { ownerPage } from './onboard.ts';
import { hashOf, insertOwnerLink, newToken } from './owner-link-queries.ts';
import { answersChallenge, grouped } from './sealed.ts';

/**
 * A login for which the network wants the account's passkey. The question lives on one connection, and so in the
 * memory of the host; a call from any process reaches it there. What outlasts the host is the status of the session.
 */
export interface LoginPasskeys {
  read(asker: LoginAsker): Promise<SessionPasskey>;
  answer(asker: LoginAsker, credential: PasskeyCredential): Promise<SessionPasskey>;
  confirm(asker: LoginAsker): Promise<SessionPasskey>;
  ask(asker: LoginAsker): Promise<SessionPasskey>;
  refuse(number: OwnedNumber): Promise<void>;
}

/** The number, and the origin under which the caller reaches the gateway. */
interface LoginAsker {
  readonly number: OwnedNumber;
  readonly origin: string;
}

/** Crosses the bus; without the address of the owner's page, which depends on the caller. */
interface LoginView extends Omit<SessionPasskey, 'passkey'> {
  readonly passkey?: Omit<NonNullable<SessionPasskey['passkey']>, 'url'>;
  /** Token of the owner's page. */
  readonly token?: string;
}

const READ: ActionHandle<null, LoginView> = { name: 'getSessionPasskey' };
const ANSWER: ActionHandle<PasskeyCredential, LoginView> = { name: 'answerSessionPasskey' };
const CONFIRM: ActionHandle<null, LoginView> = { name: 'confirmSessionPasskey' };
const ASK: ActionHandle<null, LoginView> = { name: 'askSessionPasskey' };
const REFUSE: ActionHandle<null, LoginView> = { name: 'refuseLoginCodes' };

export function createLoginPasskeys(getHost: GetHost): LoginPasskeys {
  const shown = async ({ origin }: LoginAsker, asked: Promise<LoginView>): Promise<SessionPasskey> => {
    const { passkey, token, ...view } = await asked;
    return {
      ...view,
      ...(passkey && token && { passkey: { ...passkey, url: ownerPage(origin, token, passkey.options) } }),
    };
  };
  return {
    read: (asker) => shown(asker, getHost(asker.number).run(READ, null)),
    answer: (asker, credential) => shown(asker, getHost(asker.number).run(ANSWER, credential)),
    confirm: (asker) => shown(asker, getHost(asker.number).run(CONFIRM, null)),
    ask: (asker) => shown(asker, getHost(asker.number).run(ASK, null)),
    async refuse(number) {
      await getHost(number).run(REFUSE, null);
    },
  };
}

/** What the owner's page shows of a login. */
export function ownerViewOf({ status, passkey, code, error, error_code }: SessionPasskey): OwnerLink {
  return {
    is_login: true,
    status: status === 'connected' ? 'paired' : status,
    ...(passkey && { passkey: { options: passkey.options, expires_at_unix: passkey.expires_at_unix } }),
    ...(code !== undefined && { code }),
    ...(error !== undefined && { error }),
    ...(error_code && { error_code }),
  };
}

export interface LoginActionParts {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Pick<Random, 'bytes'>;
}

/** A link is dropped after a day; until then every question of a host has the same one. */
const LINK_RENEWED_MS = 12 * 60 * 60_000;

/** The host's side. */
export function createLoginActions({ store, clock, random }: LoginActionParts): AnyHostAction[] {
  const links = new WeakMap<NetworkSession, { readonly token: string; readonly at: number }>();

  async function linkTo(session: NetworkSession): Promise<string> {
    const at = clock.now();
    const known = links.get(session);
    if (known && at - known.at < LINK_RENEWED_MS) return known.token;
    const token = newToken(random);
    await store.transaction((trx) =>
      insertOwnerLink(trx, { linkId: session.linkId }, { tokenHash: hashOf(token), at }),
    );
    links.set(session, { token, at });
    return token;
  }

  async function view({ session, sessionId: session_id }: HostedSession): Promise<LoginView> {
    const { state } = session;
    if (state.kind === 'connected') return { session_id, status: 'connected' };
    const question = questionOf(session);
    if (!question) return { session_id, status: 'pending' };
    if (question.kind === 'confirm') return { session_id, status: 'confirm', code: grouped(question.code) };
    if (question.kind === 'failed') {
      const error_code = question.cause && ERROR_CODES[question.cause];
      return { session_id, status: 'error', error: question.reason, ...(error_code && { error_code }) };
    }
    const { options, expiresAt } = question;
    // The network's own JSON.
    const passkey = {
      options: JSON.parse(JSON.stringify(options)),
      expires_at_unix: Math.floor(expiresAt / 1_000),
    };
    return { session_id, status: 'passkey', passkey, token: await linkTo(session) };
  }

  function action<Args>(
    { name }: ActionHandle<Args, LoginView>,
    act: (session: NetworkSession, args: Args) => void,
  ): HostAction<Args, LoginView> {
    return {
      name,
      worksOffline: true,
      run(hosted, args) {
        act(hosted.session, args);
        return view(hosted);
      },
    };
  }

  return [
    action(READ, () => {}),
    action(ANSWER, (session, credential) => {
      const question = questionOf(session);
      if (question?.kind !== 'passkey') throw apiError('passkey_not_asked');
      if (!answersChallenge(credential, question.options)) throw apiError('passkey_of_another_challenge');
      session.login.answerPasskey(credential);
    }),
    action(CONFIRM, (session) => {
      if (questionOf(session)?.kind !== 'confirm') throw apiError('confirmation_not_asked');
      session.login.confirm();
    }),
    action(ASK, (session) => session.login.ask()),
    action(REFUSE, (session) => session.login.refuse()),
  ];
}

function questionOf({ state }: NetworkSession) {
  return state.kind === 'reconnecting' && state.reason === 'passkey_required' ? state.question : undefined;
}
