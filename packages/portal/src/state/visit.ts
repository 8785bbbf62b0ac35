import { ERRORS, RIGHTS_OF_ROLE, type Right } from '@parley/contract';
import { signal } from '@preact/signals';
import {
  type Answer,
  asProblem,
  call,
  joinTabs,
  type Problem,
  watchChanges,
  watchRefusals,
} from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';

/** Sign-in options of the gateway. */
export const entrance = signal<Answer<'getEntrance'> | undefined>(undefined);
/** Signed-in owner; undefined while signed out or before the gateway's first answer. */
export const me = signal<Answer<'getMe'> | undefined>(undefined);
/** Reason why neither could be loaded. */
export const visitProblem = signal<Problem | undefined>(undefined);

/** Whether the signed-in member's role allows it. The gateway checks again; this only hides what it would refuse. */
export function may(right: Right): boolean {
  const { role } = me.value ?? {};
  return role !== undefined && RIGHTS_OF_ROLE[role].includes(right);
}

/** Loads the sign-in state. */
export async function loadVisit(): Promise<void> {
  try {
    const found = await call('getEntrance');
    me.value = found.signed_in.owner ? await call('getMe') : undefined;
    entrance.value = found;
    visitProblem.value = undefined;
  } catch (thrown) {
    visitProblem.value = asProblem(thrown);
  }
}

export async function signOut(): Promise<void> {
  await call('signOut');
  leave('owner');
}

export async function signOutEverywhere(): Promise<void> {
  await call('signOutEverywhere');
  leave('owner');
}

export async function signOutAsOperator(): Promise<void> {
  await call('signOutAsOperator');
  leave('operator');
}

function leave(who: 'owner' | 'operator'): void {
  const known = entrance.value;
  if (known) entrance.value = { ...known, signed_in: { ...known.signed_in, [who]: false } };
  if (who === 'owner') me.value = undefined;
}

const REFUSALS: Readonly<Record<string, () => void>> = {
  [ERRORS.sign_in_required.text]: () => leave('owner'),
  [ERRORS.operator_token_invalid.text]: () => leave('operator'),
  [ERRORS.tos_not_accepted.text]: () => inBackground(loadVisit()),
  [ERRORS.account_suspended.text]: () => inBackground(loadVisit()),
  [ERRORS.email_not_verified.text]: () => inBackground(loadVisit()),
  [ERRORS.role_lacks_right.text]: () => inBackground(loadVisit()),
};

/** Reacts to refusals that end a visit: it expired, another tab signed out, the account is suspended, new terms are in force. */
export function followRefusals(): void {
  watchRefusals((problem, id) => {
    if (id !== 'signInAsOperator') REFUSALS[problem.message]?.();
  });
}

/** Operations that sign in or out, or change the signed-in member. */
const VISITS: ReadonlySet<string> = new Set([
  'signIn',
  'signUp',
  'signOut',
  'signOutEverywhere',
  'signInAsOperator',
  'signOutAsOperator',
  'acceptInvitation',
  'verifyEmail',
  'recoverPassword',
  'leaveAccount',
  'acceptTerms',
  'changePassword',
]);

/** Polled by the sandbox phones, with one operation for reads and changes. */
const POLLED = 'useSandbox';

/** Follows changes made in other tabs; signing out in one signs out in all. */
export function followTabs(): void {
  const tabs = joinTabs(VISITS, () => inBackground(loadVisit()));
  watchChanges((id) => {
    if (id !== POLLED) tabs.publish(id);
  });
}
